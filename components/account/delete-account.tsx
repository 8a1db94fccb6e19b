'use client'

import { type FormEvent, useRef, useState } from 'react'
import { useAccountPage } from '@/components/account/account-page'
import { ActionOutcomes } from '@/components/account/action-outcomes'
import { useAccountAction } from '@/components/account/use-account-action'
import { Button } from '@/components/ui/button'
import { Dialog, DialogButtons } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { navigate, textOf } from '@/components/ui/form-submission'
import { deleteAccount } from '@/lib/browser/account-settings'

/** The way out for good. */
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

/** Nobody deletes an account by a slip: its name has to be typed. */
function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { account } = useAccountPage()
  const form = useRef<HTMLFormElement>(null)
  const action = useAccountAction(form, () => navigate('/signup'))
  const pending = action.pending !== null

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = textOf(new FormData(event.currentTarget), 'deletedUsername').trim()
    if (typed !== account.username)
      return action.setFieldErrors({ deletedUsername: `Type “${account.username}” to go on.` })
    action.run('delete', () => deleteAccount(account))
  }
  return (
    <Dialog title="Delete this account?" busy={pending} onClose={onClose}>
      <p className="mt-1 mb-5 text-muted">
        The account, its passkeys and its recovery codes are removed at once. Nobody can bring them back.
      </p>
      <form ref={form} method="post" noValidate onSubmit={submit}>
        <ActionOutcomes action={action} />
        <Field
          name="deletedUsername"
          label="Your username"
          hint={`Type “${account.username}” to go on.`}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          required
          error={action.failure?.fields.deletedUsername}
        />
        <DialogButtons>
          <Button look="secondary" disabled={pending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="danger" pending={pending}>
            Delete for good
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
