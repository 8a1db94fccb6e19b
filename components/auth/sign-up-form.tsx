'use client'

import { useRef, useState } from 'react'
import { usePasskeySupport, useSecurityKeysOnly } from '@/components/auth/use-passkey-support'
import { Button } from '@/components/ui/button'
import { navigate, submitWhenFilled, textOf } from '@/components/ui/form-submission'
import { PasskeyIcon } from '@/components/ui/icons'
import { Notice, Outcomes } from '@/components/ui/notice'
import { PasswordField } from '@/components/ui/password-field'
import { useAction } from '@/components/ui/use-action'
import { UsernameField } from '@/components/ui/username-field'
import { signUp, signUpWithPasskey } from '@/lib/browser/sign-up'
import type { Site } from '@/lib/browser/site'

/** Making an account: a username, and a passkey or a password to come back with. */
export function SignUpForm({ site, next }: { site: Site; next: string }) {
  const form = useRef<HTMLFormElement>(null)
  const [choice, setChoice] = useState<'passkey' | 'password' | null>(null)
  const action = useAction(form, () => navigate(next))
  const unsupportedReason = usePasskeySupport(site, action)
  const { pending, failure } = action
  const securityKeysOnly = useSecurityKeysOnly()
  const withPassword =
    Boolean(unsupportedReason) || (choice ?? (securityKeysOnly ? 'password' : 'passkey')) === 'password'

  const submit = submitWhenFilled(action, (data) => {
    const username = textOf(data, 'username')
    action.run('sign-up', () =>
      withPassword ? signUp(username, textOf(data, 'password')) : signUpWithPasskey(username),
    )
  })

  return (
    <>
      <Outcomes failure={failure} remark={action.remark} />
      {unsupportedReason && (
        <div className="mb-5">
          <Notice>{unsupportedReason}</Notice>
        </div>
      )}
      {/* method=post: sent before this script has loaded, the form must not put a password into an address. */}
      <form ref={form} method="post" noValidate onSubmit={submit} className="space-y-4">
        <UsernameField hint="A name or an e-mail address, 3 characters or more." error={failure?.fields.username} />
        {withPassword && (
          <PasswordField
            autoComplete="new-password"
            hint="At least 8 characters. A sentence is easier to remember than a puzzle."
            required
            autoFocus={choice === 'password'}
            pending={pending !== null}
            error={failure?.fields.password}
          />
        )}
        <Button type="submit" className="mt-1 w-full" pending={pending !== null}>
          {!withPassword && pending === null && <PasskeyIcon />}
          {withPassword ? 'Create account' : 'Create a passkey'}
        </Button>
      </form>
      {!unsupportedReason && (
        <Button
          look="quiet"
          className="mt-2 w-full"
          disabled={pending !== null}
          onClick={() => setChoice(withPassword ? 'passkey' : 'password')}
        >
          {withPassword ? 'Use a passkey instead' : 'Use a password instead'}
        </Button>
      )}
    </>
  )
}
