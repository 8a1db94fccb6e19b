'use client'

import { type FormEvent, useRef, useState } from 'react'
import { useAccountPage } from '@/components/account/account-page'
import { ActionMessages } from '@/components/account/action-messages'
import { useAccountAction } from '@/components/account/use-account-action'
import { Button } from '@/components/ui/button'
import { Dialog, DialogButtons } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { textOf } from '@/components/ui/form-submission'
import { navigate } from '@/components/ui/navigation'
import { deleteAccount } from '@/lib/browser/account-settings'

export function DeleteAccount() {
  const [asked, setAsked] = useState(false)
  return (
    <>
      <Button look="quietDanger" className="-ml-4.25" onClick={() => setAsked(true)}>
        Delete this account
      </Button>
      {asked && <DeleteDialog onClose={() => setAsked(false)} />}
    </>
  )
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { account } = useAccountPage()
  const form = useRef<HTMLFormElement>(null)
  const action = useAccountAction(form, () => navigate('/signup'), { inDialog: true })
  const pending = action.pending !== null
  const instruction = `Type “${account.username}” to confirm.`

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = textOf(new FormData(event.currentTarget), 'username').trim()
    if (typed !== account.username) return action.setFieldErrors({ username: instruction })
    action.run('delete', () => deleteAccount(account))
  }
  return (
    <Dialog title="Delete this account?" busy={pending} onClose={onClose}>
      <p className="mt-1 mb-5 text-muted">
        Your account, its passkeys and its recovery codes will be deleted immediately. This can't be undone.
      </p>
      <form ref={form} method="post" noValidate onSubmit={submit}>
        <ActionMessages action={action} />
        <Field
          name="username"
          label="Your username"
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
            Cancel
          </Button>
          <Button type="submit" look="danger" pending={pending}>
            Delete account
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
