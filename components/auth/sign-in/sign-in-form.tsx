'use client'

import { useSearchParams } from 'next/navigation'
import { useRef } from 'react'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/feedback/callout'
import { Messages } from '@/components/ui/feedback/page-feedback'
import type { Action, OnDone } from '@/components/ui/feedback/use-action'
import { Form, submitWhenFilled, textOf } from '@/components/ui/forms/form'
import { PasswordField } from '@/components/ui/forms/password-field'
import { useChangedTitle } from '@/components/ui/page/title-and-url'
import { useWords } from '@/components/ui/words/words'
import { signInWithPassword } from '@/lib/browser/sign-in/sign-in'
import { PasskeyButton } from '../passkey-button'
import { KnownUsername, UsernameField } from '../username-field'
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
  const { lastMethod, lastUsed, asksFor, remember, divider, prepareRecovery, onRecover, children } = props
  const forms = useWords('forms')
  const scope = useRef<HTMLDivElement>(null)
  const { action, onDone, preferPassword, busy, unsupportedReason, isLocked, passkey, primary } = useSignIn(
    scope,
    props,
  )
  const takesPassword = asksFor !== 'passkey'
  // A way that works opens to somebody who is locked out of another.
  const takesPasskey = asksFor !== 'password' || isLocked
  return (
    <div ref={scope}>
      <Messages live place={action.place} />
      {takesPasskey &&
        (unsupportedReason ? (
          <Callout className="mb-5">{unsupportedReason}</Callout>
        ) : (
          <>
            <div className="relative">
              <PasskeyButton
                {...passkey}
                look={primary === 'passkey' ? 'primary' : 'secondary'}
                className="w-full"
                // Enter presses what is filled. The username keeps the focus of those who are new here, for autofill.
                autoFocus={!takesPassword || lastMethod === 'passkey'}
                aria-describedby={lastMethod === 'passkey' ? 'last-passkey' : undefined}
              />
              {lastMethod === 'passkey' && lastUsed}
            </div>
            {takesPassword ? divider : remember && <div className="mt-3">{remember}</div>}
          </>
        ))}
      {takesPassword && (
        <PasswordForm
          {...props}
          action={action}
          onDone={onDone}
          onSend={preferPassword}
          look={primary === 'password' ? 'primary' : 'secondary'}
          conditionalCreate={unsupportedReason === null}
        />
      )}
      {children}
      <Button
        look={unsupportedReason && !takesPassword ? 'primary' : isLocked ? 'secondary' : 'quiet'}
        className="mt-2 w-full"
        disabled={busy}
        onClick={() => action.run('recover', prepareRecovery, () => void onRecover())}
      >
        {forms.useRecoveryCode}
      </Button>
    </div>
  )
}

interface PasswordFormProps
  extends Pick<SignInProps, 'lastMethod' | 'lastUsed' | 'known' | 'username' | 'passwordLabel' | 'remember'> {
  action: Action
  onDone: OnDone
  onSend: () => void
  look: 'primary' | 'secondary'
  conditionalCreate: boolean
}

function PasswordForm(props: PasswordFormProps) {
  const {
    action,
    onDone,
    onSend,
    lastMethod,
    lastUsed,
    known,
    username,
    passwordLabel,
    remember,
    look,
    conditionalCreate,
  } = props
  const forms = useWords('forms')
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
      {known ? (
        <KnownUsername username={username} />
      ) : (
        <UsernameField
          autoComplete="username webauthn"
          defaultValue={username}
          autoFocus={lastMethod !== 'passkey'}
          error={failure?.fields.username}
        />
      )}
      <PasswordField
        missing={forms.enterPassword}
        autoComplete={known ? 'current-password webauthn' : 'current-password'}
        autoFocus={known}
        pending={busy}
        error={failure?.fields.password}
      />
      {remember}
      <div className="relative">
        <Button
          type="submit"
          look={look}
          className="w-full wrap-anywhere"
          aria-describedby={lastMethod === 'password' ? 'last-password' : undefined}
          pending={pending === 'password'}
          disabled={busy}
        >
          {passwordLabel}
        </Button>
        {lastMethod === 'password' && lastUsed}
      </div>
    </Form>
  )
}
