'use client'

import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import { useAccountPage } from '@/components/account/account-page'
import { ActionMessages } from '@/components/account/action-messages'
import { FormButtons, Setting } from '@/components/account/setting'
import { useAccountAction } from '@/components/account/use-account-action'
import { UsernameField } from '@/components/auth/username-field'
import { submitWhenFilled, textOf } from '@/components/ui/form-submission'
import { changeUsername } from '@/lib/browser/account-settings'

export function UsernameSetting() {
  const { account } = useAccountPage()
  return (
    <Setting id="username-setting" name="Username" value={account.username} label="Change" labelEnd=" username">
      {(close) => <UsernameForm onClose={close} />}
    </Setting>
  )
}

function UsernameForm({ onClose }: { onClose: (done?: string) => void }) {
  const { account } = useAccountPage()
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const action = useAccountAction(form, () => {
    router.refresh()
    onClose('Username changed.')
    return undefined
  })

  const submit = submitWhenFilled(action, (data) => {
    action.run('username', () => changeUsername(account, textOf(data, 'username')))
  })
  return (
    <form ref={form} method="post" noValidate onSubmit={submit} className="max-w-sm">
      <ActionMessages action={action} />
      <div className="space-y-4">
        <UsernameField
          label="New username"
          missing="Enter a new username."
          hint="A name or email address, at least 3 characters. You'll sign in with it from now on."
          defaultValue={account.username}
          error={action.failure?.fields.username}
        />
        <FormButtons save="Save" pending={action.pending !== null} onCancel={() => onClose()} />
      </div>
    </form>
  )
}
