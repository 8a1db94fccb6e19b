'use client'

import { useSearchParams } from 'next/navigation'
import { type ReactNode, useId, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { Divider } from '@/components/ui/card'
import { Callout } from '@/components/ui/feedback/callout'
import { Messages } from '@/components/ui/feedback/page-feedback'
import type { Action, OnDone } from '@/components/ui/feedback/use-action'
import { Form } from '@/components/ui/forms/form'
import { submitWhenFilled, textOf } from '@/components/ui/forms/form-submission'
import { PasswordField } from '@/components/ui/forms/password-field'
import { useChangedTitle } from '@/components/ui/page/use-changed-title'
import { useWords } from '@/components/ui/words/words'
import type { RememberedSignIn } from '@/lib/api/site'
import { signInWithPassword } from '@/lib/browser/sign-in/sign-in'
import { PasskeyButton } from '../passkey-button'
import { UsernameField } from '../username-field'
import { type SignInProps, useSignIn } from './use-sign-in'

interface Props {
  signIn: string
  /** The title of the view that takes a recovery code */
  recovery: string
  appName: string
}

/** The heading of the view that SignInMethods shows. */
export function SignInTitle({ signIn, recovery, appName }: Props) {
  const isRecovering = useSearchParams().has('recover')
  const heading = isRecovering ? recovery : signIn
  useChangedTitle(heading, appName)
  return heading
}

/** Signs in with a passkey, by button or autofill, or with a password where there are passwords. */
export function SignInForm(props: SignInProps) {
  const { remembered, username, prepareRecovery, onRecover } = props
  const { passwords } = props.site
  const forms = useWords('forms')
  const words = useWords('signIn')
  const scope = useRef<HTMLDivElement>(null)
  const { action, onDone, preferPassword, busy, unsupportedReason, passkey, primary } = useSignIn(scope, props)
  return (
    <div ref={scope}>
      {!passwords && !unsupportedReason && (
        // Stands as far below the title as a lead.
        <p className="-mt-3.5 mb-5 text-center text-balance text-muted">{words.aboutPasskey}</p>
      )}
      <Messages live place={action.place} />
      {unsupportedReason ? (
        <Callout className="mb-5">{unsupportedReason}</Callout>
      ) : (
        <>
          <LastUsed isLastUsed={remembered.method === 'passkey'}>
            {(lastUsed) => (
              <PasskeyButton
                {...passkey}
                look={primary === 'passkey' ? 'primary' : 'secondary'}
                className="w-full"
                aria-describedby={lastUsed}
              />
            )}
          </LastUsed>
          {passwords ? (
            <Divider>{words.orPassword}</Divider>
          ) : (
            <div className="mt-3">
              <RememberUsername remembered={remembered} disabled={busy} />
            </div>
          )}
        </>
      )}
      {passwords && (
        <PasswordForm
          action={action}
          onDone={onDone}
          onSend={preferPassword}
          remembered={remembered}
          username={username}
          look={primary === 'password' ? 'primary' : 'secondary'}
          conditionalCreate={unsupportedReason === null}
        />
      )}
      <Button
        look={unsupportedReason && !passwords ? 'primary' : 'quiet'}
        className="mt-2 w-full"
        disabled={busy}
        onClick={() => action.run('recover', prepareRecovery, () => void onRecover())}
      >
        {forms.useRecoveryCode}
      </Button>
    </div>
  )
}

interface PasswordFormProps {
  action: Action
  onDone: OnDone
  onSend: () => void
  remembered: RememberedSignIn
  username: string
  look: 'primary' | 'secondary'
  conditionalCreate: boolean
}

function PasswordForm({ action, onDone, onSend, remembered, username, look, conditionalCreate }: PasswordFormProps) {
  const forms = useWords('forms')
  const asksPassword = remembered.method === 'password' && remembered.username !== null
  const { pending, busy, failure } = action

  function send(data: FormData) {
    onSend()
    return action.run(
      'password',
      () => signInWithPassword(textOf(data, 'username'), textOf(data, 'password'), { conditionalCreate }),
      onDone,
    )
  }
  const submit = submitWhenFilled(action, send, 'authentication_failed')
  return (
    <Form action={action} onSubmit={submit} className="space-y-4">
      <UsernameField
        autoComplete="username webauthn"
        defaultValue={username}
        autoFocus={!asksPassword}
        error={failure?.fields.username}
      />
      <PasswordField
        missing={forms.enterPassword}
        autoComplete="current-password"
        autoFocus={asksPassword}
        pending={busy}
        error={failure?.fields.password}
      />
      <RememberUsername remembered={remembered} disabled={busy} />
      <LastUsed isLastUsed={remembered.method === 'password'}>
        {(lastUsed) => (
          <Button
            type="submit"
            look={look}
            className="w-full"
            aria-describedby={lastUsed}
            pending={pending === 'password'}
            disabled={busy}
          >
            {forms.signIn}
          </Button>
        )}
      </LastUsed>
    </Form>
  )
}

/** Marks the button of the last method, for screen readers too. */
function LastUsed({ isLastUsed, children }: { isLastUsed: boolean; children: (describedBy?: string) => ReactNode }) {
  const { lastUsed } = useWords('signIn')
  const id = useId()
  if (!isLastUsed) return children()
  return (
    <div className="relative">
      {children(id)}
      <span id={id} className="last-used">
        {lastUsed}
      </span>
    </div>
  )
}

/** Asks whether this browser may remember the username. Nothing is kept unless the person says so. */
function RememberUsername({ remembered, disabled }: { remembered: RememberedSignIn; disabled: boolean }) {
  const { remember } = useWords('signIn')
  return (
    <label className="flex min-h-9 cursor-pointer items-center gap-2.5 text-small">
      <input
        type="checkbox"
        name="remember"
        defaultChecked={remembered.username !== null}
        disabled={disabled}
        className="size-4.5 shrink-0"
      />
      {remember}
    </label>
  )
}
