'use client'

import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { ConfirmDialog } from '@/components/account/forms/confirm-dialog'
import { useAccountAction } from '@/components/account/forms/use-account-action'
import { Button } from '@/components/ui/button'
import { useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import { removePassword } from '@/lib/browser/account/account-settings'

interface Props {
  onRemoved: (done: string) => void
}

/** A button that removes the password, after a confirmation. */
export function RemovePassword({ onRemoved }: Props) {
  const account = useWords('account')
  const words = useWords('profile')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="plain" aria-label={words.removePassword} onClick={() => setOpen(true)}>
        {account.remove}
      </Button>
      {isOpen && <RemoveDialog onRemoved={onRemoved} onClose={() => setOpen(false)} />}
    </>
  )
}

function RemoveDialog({ onRemoved, onClose }: Props & { onClose: () => void }) {
  const words = useWords('profile')
  const fill = useFill()
  const { account } = useAccountContext()
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const onDone = () => {
    router.refresh()
    onClose()
    // The setting then has the focus: the button that opened this dialog goes away with the password.
    onRemoved(words.passwordRemoved)
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
