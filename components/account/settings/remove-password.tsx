'use client'

import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { ActionMessages } from '@/components/account/action-messages'
import { useAccountAction } from '@/components/account/use-account-action'
import { Button } from '@/components/ui/button'
import { Dialog, DialogButtons } from '@/components/ui/dialog'
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
  const { cancel } = useWords('forms')
  const words = useWords('profile')
  const fill = useFill()
  const { account } = useAccountContext()
  const { showDone, focusAfterUpdate } = usePageFeedback()
  const router = useRouter()
  const scope = useRef<HTMLDivElement>(null)
  const onDone = () => {
    router.refresh()
    showDone(id, words.passwordRemoved)
    // Not to the button that opened this dialog: it goes away with the password.
    focusAfterUpdate(() => document.getElementById(`${id}-open`))
    onClose()
    return undefined
  }
  const action = useAccountAction(scope, { inDialog: true })
  const pending = action.pending !== null
  return (
    <Dialog title={words.removePasswordQuestion} busy={pending} onClose={onClose}>
      <p className="mt-1 mb-5 text-muted">{fill(words.removePasswordText, { count: account.passkeys.length })}</p>
      <div ref={scope}>
        <ActionMessages action={action} />
      </div>
      <DialogButtons>
        <Button look="secondary" disabled={pending} onClick={onClose}>
          {cancel}
        </Button>
        <Button look="danger" pending={pending} onClick={() => action.run('remove', removePassword, onDone)}>
          {words.removePassword}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
