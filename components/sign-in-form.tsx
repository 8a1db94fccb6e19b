'use client'

import { useRef } from 'react'
import { Button } from '@/components/button'
import { Divider } from '@/components/divider'
import { PasskeyIcon } from '@/components/icons'
import { Notice, Outcomes } from '@/components/notice'
import { PasswordField } from '@/components/password-field'
import { goOn, textOf, whenFilled } from '@/components/submitted'
import { useAttempt } from '@/components/use-attempt'
import { useNoPlaceForPasskeys, usePasskey } from '@/components/use-passkey'
import { UsernameField } from '@/components/username-field'
import { signIn, signInWithPasskey } from '@/lib/client/sign-in'
import type { Site } from '@/lib/client/site'

/** Signing in: with a passkey, by button or by the browser's autofill, or with a password. */
export function SignInForm({ site, next, onRecover }: { site: Site; next: string; onRecover: () => void }) {
  const form = useRef<HTMLFormElement>(null)
  const attempt = useAttempt(form, () => goOn(next))
  const barrier = usePasskey(site, attempt, { autofill: true })
  // Neither this device nor a phone: only a few have a security key, and they still find the button.
  const passwordFirst = useNoPlaceForPasskeys() || Boolean(barrier)
  const { pending, failure } = attempt
  const busy = pending !== null

  const submit = whenFilled(attempt, (data) => {
    const upgrade = barrier === null
    attempt.run('password', () => signIn(textOf(data, 'username'), textOf(data, 'password'), { upgrade }))
  })

  return (
    <>
      <Outcomes failure={failure} remark={attempt.remark} />
      {barrier ? (
        <div className="mb-5">
          <Notice>{barrier}</Notice>
        </div>
      ) : (
        <>
          <Button
            look={passwordFirst ? 'secondary' : 'primary'}
            className="w-full"
            pending={pending === 'passkey' || pending === 'autofill'}
            disabled={busy}
            onClick={() => attempt.run('passkey', signInWithPasskey)}
          >
            {pending !== 'passkey' && pending !== 'autofill' && <PasskeyIcon />}
            Sign in with a passkey
          </Button>
          <Divider>or with a password</Divider>
        </>
      )}
      {/* method=post: sent before this script has loaded, the form must not put a password into an address. */}
      <form ref={form} method="post" noValidate onSubmit={submit} className="space-y-4">
        <UsernameField autoComplete="username webauthn" error={failure?.fields.username} />
        <PasswordField autoComplete="current-password" required pending={busy} error={failure?.fields.password} />
        <Button
          type="submit"
          look={passwordFirst ? 'primary' : 'secondary'}
          className="mt-1 w-full"
          pending={pending === 'password'}
          disabled={busy}
        >
          Sign in
        </Button>
      </form>
      <Button look="quiet" className="mt-2 w-full" disabled={busy} onClick={onRecover}>
        Use a recovery code
      </Button>
    </>
  )
}
