'use client'

import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import { useAccountPage } from '@/components/account/account-page'
import { ActionOutcomes } from '@/components/account/action-outcomes'
import { KnownUsername } from '@/components/account/known-username'
import { FormButtons, Setting } from '@/components/account/setting'
import { useAccountAction } from '@/components/account/use-account-action'
import { submitWhenFilled, textOf } from '@/components/ui/form-submission'
import { PasswordField } from '@/components/ui/password-field'
import { changePassword } from '@/lib/browser/account-settings'

/** Whether there is a password, and how to set or change it; `/.well-known/change-password` leads here. */
export function PasswordSetting() {
  const { hasPassword } = useAccountPage().account
  return (
    <Setting
      id="password"
      name="Password"
      value={hasPassword ? 'Set' : 'Not set'}
      ask={hasPassword ? 'Change' : 'Set a password'}
      of={hasPassword ? ' password' : ''}
    >
      {(close) => <PasswordForm onClose={close} />}
    </Setting>
  )
}

function PasswordForm({ onClose }: { onClose: (remark?: string) => void }) {
  const { account } = useAccountPage()
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const action = useAccountAction(form, () => {
    router.refresh()
    onClose(
      `${account.hasPassword ? 'The password was changed' : 'The password was set'}. You are signed out elsewhere.`,
    )
    return undefined
  })
  const pending = action.pending !== null
  const fields = action.failure?.fields
  const { hasPassword, session } = account
  // The server has the last word, for this page may be older than the session.
  const asksCurrent = (hasPassword && session.methods.every((method) => method === 'pwd')) || fields?.currentPassword

  const submit = submitWhenFilled(action, (data) => {
    action.run('password', (reauthentication) =>
      changePassword(
        account,
        textOf(data, 'newPassword'),
        textOf(data, 'currentPassword') || reauthentication.password,
      ),
    )
  })
  return (
    <form ref={form} method="post" noValidate onSubmit={submit} className="max-w-sm">
      <ActionOutcomes action={action} />
      <KnownUsername username={account.username} />
      <div className="space-y-4">
        {asksCurrent && (
          <PasswordField
            name="currentPassword"
            label="Current password"
            autoComplete="current-password"
            autoFocus
            required
            pending={pending}
            error={fields?.currentPassword}
          />
        )}
        <PasswordField
          name="newPassword"
          label="New password"
          hint="At least 8 characters. Everywhere else you will be signed out."
          autoComplete="new-password"
          autoFocus={!asksCurrent}
          required
          pending={pending}
          error={fields?.newPassword ?? fields?.password}
        />
        <FormButtons save="Save" pending={pending} onCancel={() => onClose()} />
      </div>
    </form>
  )
}
