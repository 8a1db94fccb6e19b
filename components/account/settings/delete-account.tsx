'use client'

import { type FormEvent, useRef, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { ActionMessages } from '@/components/account/action-messages'
import { useAccountAction } from '@/components/account/use-account-action'
import { Button } from '@/components/ui/button'
import { Dialog, DialogButtons } from '@/components/ui/dialog'
import { Field } from '@/components/ui/forms/field'
import { textOf } from '@/components/ui/forms/form-submission'
import { navigate } from '@/components/ui/navigation'
import { useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import { deleteAccount } from '@/lib/browser/account/account-settings'

export function DeleteAccount() {
  const words = useWords('profile')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet-danger" className="outdent forced-colors:mt-2" onClick={() => setOpen(true)}>
        {words.deleteThis}
      </Button>
      {isOpen && <DeleteDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { cancel } = useWords('forms')
  const words = useWords('profile')
  const fill = useFill()
  const { account } = useAccountContext()
  const form = useRef<HTMLFormElement>(null)
  const action = useAccountAction(form, { inDialog: true })
  const pending = action.pending !== null
  const instruction = fill(words.typeToConfirm, { username: account.username })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = textOf(new FormData(event.currentTarget), 'username').trim()
    if (typed !== account.username) return action.setFieldErrors({ username: instruction })
    action.run(
      'delete',
      () => deleteAccount(account),
      () => navigate('/'),
    )
  }
  return (
    <Dialog title={words.deleteQuestion} busy={pending} onClose={onClose}>
      <p className="mt-1 mb-5 text-muted">{words.deleteWarning}</p>
      <form ref={form} method="post" noValidate onSubmit={submit}>
        <ActionMessages action={action} />
        <Field
          name="username"
          label={words.yourUsername}
          hint={instruction}
          missing={instruction}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          error={action.failure?.fields.username}
        />
        <DialogButtons>
          <Button look="secondary" disabled={pending} onClick={onClose}>
            {cancel}
          </Button>
          <Button type="submit" look="danger" pending={pending}>
            {words.deleteAccount}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
