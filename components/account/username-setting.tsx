'use client'

import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import { useAccountPage } from '@/components/account/account-page'
import { ActionOutcomes } from '@/components/account/action-outcomes'
import { FormButtons, Setting } from '@/components/account/setting'
import { useAccountAction } from '@/components/account/use-account-action'
import { submitWhenFilled, textOf } from '@/components/ui/form-submission'
import { UsernameField } from '@/components/ui/username-field'
import { changeUsername } from '@/lib/browser/account-settings'

/** What the account is called, and how to call it something else. */
export function UsernameSetting() {
  const { account } = useAccountPage()
  return (
    <Setting id="username-setting" name="Username" value={account.username} ask="Change" of=" username">
      {(close) => <UsernameForm onClose={close} />}
    </Setting>
  )
}

function UsernameForm({ onClose }: { onClose: (remark?: string) => void }) {
  const { account } = useAccountPage()
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const action = useAccountAction(form, () => {
    router.refresh()
    onClose('Your username was changed.')
    return undefined
  })

  const submit = submitWhenFilled(action, (data) => {
    action.run('username', () => changeUsername(account, textOf(data, 'username')))
  })
  return (
    <form ref={form} method="post" noValidate onSubmit={submit} className="max-w-sm">
      <ActionOutcomes action={action} />
      <div className="space-y-4">
        <UsernameField
          label="New username"
          hint="A name or an e-mail address, 3 characters or more. You sign in with it from then on."
          defaultValue={account.username}
          error={action.failure?.fields.username}
        />
        <FormButtons save="Save" pending={action.pending !== null} onCancel={() => onClose()} />
      </div>
    </form>
  )
}
