'use client'

import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { ConfirmDialog } from '@/components/account/forms/confirm-dialog'
import { useAccountAction } from '@/components/account/forms/use-account-action'
import { Button } from '@/components/ui/button'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import { removePassword } from '@/lib/browser/account/account-settings'

/** A button that removes the password, after a confirmation. `id`: of the setting that says what was done */
export function RemovePassword({ id }: { id: string }) {
  const account = useWords('account')
  const words = useWords('profile')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="plain" aria-label={words.removePassword} onClick={() => setOpen(true)}>
        {account.remove}
      </Button>
      {isOpen && <RemoveDialog id={id} onClose={() => setOpen(false)} />}
    </>
  )
}

function RemoveDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const words = useWords('profile')
  const fill = useFill()
  const { account } = useAccountContext()
  const { showDone, focusAfterUpdate } = usePageFeedback()
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const onDone = () => {
    router.refresh()
    showDone(id, words.passwordRemoved)
    // Not to the button that opened this dialog: it goes away with the password.
    focusAfterUpdate(() => document.getElementById(`${id}-open`))
    onClose()
    return undefined
  }
  const action = useAccountAction(form, { inDialog: true })
  return (
    <ConfirmDialog
      title={words.removePasswordQuestion}
      text={fill(words.removePasswordText, { count: account.passkeys.length })}
      form={form}
      action={action}
      confirm={words.removePassword}
      onConfirm={() => void action.run('remove', removePassword, onDone)}
      onClose={onClose}
    />
  )
}
