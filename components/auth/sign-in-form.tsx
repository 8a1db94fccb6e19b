'use client'

import { useSearchParams } from 'next/navigation'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { KnownUsername, PasswordField, UsernameField } from '@/components/auth/fields'
import { PasskeyButton, usePasskeySupport, useSecurityKeysOnly } from '@/components/auth/passkey-button'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/feedback/callout'
import { type Action, Messages, type OnDone, useAction } from '@/components/ui/feedback/page-feedback'
import { Form, submitWhenFilled, textOf } from '@/components/ui/forms/form'
import { navigateAfterSignIn } from '@/components/ui/navigation'
import { useChangedTitle } from '@/components/ui/page/title-and-url'
import { useWords } from '@/components/ui/words/words'
import type { RememberedSignIn, Site } from '@/lib/api/site'
import { type Outcome, promptEndOf } from '@/lib/browser/failures/outcomes'
import { keepOfferingPasskeys, type OptionsAtHand } from '@/lib/browser/sign-in/passkey-offer'
import { rememberUsername, signInWithPasskey, signInWithPassword } from '@/lib/browser/sign-in/sign-in'

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
  const { site, next, closePage, lastMethod, lastUsed, asksFor, options, remember, divider, children } = props
  const forms = useWords('forms')
  const scope = useRef<HTMLDivElement>(null)
  const action = useAction(scope)
  const onDone = () => void continueAfterSignIn(scope.current, next, showClosePage(closePage, action))
  const unsupportedReason = usePasskeySupport(site)
  const { hasSent, isLocked } = usePasswordLock(scope, action)
  const takesPassword = asksFor !== 'passkey' && !isLocked
  const { hasNone, ...passkey } = usePasskeyPress(action, onDone, props)
  // Offers autofill only where there is a field for it to appear at.
  usePasskeyAutofill(unsupportedReason === null && takesPassword ? options : null, action, onDone)
  useArrivalMessage(action)
  // Few people have a security key, and they still find the button.
  const hasNoPasskey = useSecurityKeysOnly() || Boolean(unsupportedReason) || hasNone
  const usesPassword = lastMethod === 'password' || asksFor === 'password' || hasSent
  const primary = takesPassword && (usesPassword || hasNoPasskey) ? 'password' : 'passkey'
  return (
    <div ref={scope}>
      <Messages live place={action.place} />
      {/* The field with the name is gone. */}
      {isLocked && !props.known && (
        <p dir="auto" translate="no" className="mb-4 text-center break-words">
          {props.username}
        </p>
      )}
      {(asksFor !== 'password' || isLocked) &&
        (unsupportedReason ? (
          <Callout className="mb-5">{unsupportedReason}</Callout>
        ) : (
          <>
            <PasskeyButton
              {...passkey}
              look={primary === 'passkey' ? 'primary' : 'secondary'}
              className="w-full"
              // Enter presses what is filled. The username keeps the focus of those who are new here, for autofill.
              autoFocus={!takesPassword || lastMethod === 'passkey'}
              aria-describedby={lastMethod === 'passkey' ? 'last-passkey' : undefined}
              badge={lastMethod === 'passkey' && lastUsed}
            />
            {takesPassword ? divider : remember && <div className="mt-3">{remember}</div>}
          </>
        ))}
      {takesPassword && (
        <PasswordForm
          {...props}
          action={action}
          onDone={onDone}
          look={primary === 'password' ? 'primary' : 'secondary'}
          conditionalCreate={unsupportedReason === null}
        />
      )}
      {/* They would offer the password, or the passkey once more. */}
      {!isLocked && children}
      <Button
        look={unsupportedReason && !takesPassword ? 'primary' : isLocked ? 'secondary' : 'quiet'}
        className="mt-2 w-full"
        disabled={action.busy}
        onClick={() => action.run('recover', props.prepareRecovery, () => void props.onRecover())}
      >
        {forms.useRecoveryCode}
      </Button>
      {isLocked && props.otherAccount}
    </div>
  )
}

interface PasswordFormProps
  extends Pick<SignInProps, 'lastMethod' | 'lastUsed' | 'known' | 'username' | 'passwordLabel' | 'remember'> {
  action: Action
  onDone: OnDone
  look: 'primary' | 'secondary'
  conditionalCreate: boolean
}

function PasswordForm({
  action,
  onDone,
  lastMethod,
  lastUsed,
  known,
  username,
  passwordLabel,
  remember,
  look,
  conditionalCreate,
}: PasswordFormProps) {
  const forms = useWords('forms')
  const { pending, busy, failure } = action

  function send(data: FormData) {
    return action.run(
      'password',
      () => signInWithPassword(textOf(data, 'username'), textOf(data, 'password'), { known, conditionalCreate }),
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

export interface SignInProps {
  site: Site
  next: string
  /** The sentence for a page that has led back to an app and is still there; null for people who come from no app */
  closePage: string | null
  /** Of the last sign-in in this browser, where the page names nobody */
  lastMethod: RememberedSignIn['method']
  /** Marks the button of that method, for screen readers too: its id is `last-` and the method */
  lastUsed: ReactNode
  /** True where the page names the person, so that there is no field for it */
  known: boolean
  asksFor: 'passkey' | 'password' | 'either'
  passkeyLabel: string
  passwordLabel: string
  /** The known name, or the first text of the field */
  username: string
  options: OptionsAtHand
  /** Prepares the other view before `onRecover` shows it */
  prepareRecovery: () => Promise<Outcome>
  onRecover: () => void
  /** Asks whether to remember the username; null where the page names the person */
  remember: ReactNode
  /** Stands between the passkey and the password */
  divider: ReactNode
  /** The links to other ways */
  children?: ReactNode
  /** The link to be somebody else, once passwords are locked; null where the page has one already */
  otherAccount: ReactNode
}

/**
 * Whether the person has tried a password. Once passwords are rejected unseen, they leave the page for as long, and the filled
 * button of those that still work takes the focus.
 */
function usePasswordLock(scope: RefObject<HTMLElement | null>, { pending, failure, dropFailure }: Action) {
  const [hasSent, setSent] = useState(false)
  const [seconds, setSeconds] = useState(0)
  if (pending === 'password' && !hasSent) setSent(true)
  const retryAfter = hasSent && failure?.code === 'too_many_attempts' ? failure.retryAfter : 0
  if (retryAfter && !seconds) setSeconds(retryAfter)
  const unlock = useEffectEvent(() => {
    setSeconds(0)
    dropFailure()
  })
  useEffect(() => {
    if (!seconds) return
    scope.current?.querySelector<HTMLElement>('.button-primary')?.focus()
    const timer = setTimeout(() => unlock(), seconds * 1_000)
    return () => clearTimeout(timer)
  }, [scope, seconds])
  return { hasSent, isLocked: seconds > 0 }
}

/** The passkey's button, which offers this device's passkeys first, and another device's once there are none. */
function usePasskeyPress(
  { pending, busy, cancelled, run }: Action,
  onDone: OnDone,
  { options, passkeyLabel }: SignInProps,
) {
  const { anotherDevice } = useWords('signIn')
  const [hasNone, setHasNone] = useState(false)
  async function signIn() {
    const outcome = await signInWithPasskey(options, { fromHere: !hasNone })
    if (promptEndOf(outcome) === 'none_here') setHasNone(true)
    return outcome
  }
  return {
    hasNone: hasNone || cancelled === 'no_prompt',
    pending: pending === 'passkey' || pending === 'autofill',
    disabled: busy,
    onClick: () => run('passkey', signIn, onDone),
    children: hasNone ? anotherDevice : passkeyLabel,
  }
}

/** What the page said on arrival is over once something new begins. */
function useArrivalMessage({ pending }: Action) {
  useEffect(() => {
    const arrival = pending && document.querySelector<HTMLElement>('[data-arrival]')
    if (!arrival) return
    arrival.hidden = true
    document.title = document.title.replace(`${arrival.textContent} `, '')
  }, [pending])
}

/**
 * Offers passkeys in the username's autofill, and signs in with the one that the person picks.
 *
 * @param options null for no offer
 * @param action autofill pauses while it is pending, so that there is never more than one ceremony
 * @param onDone runs after signing in
 */
function usePasskeyAutofill(options: OptionsAtHand | null, action: Action, onDone: OnDone): void {
  const onPicked = useEffectEvent(() => action.begin('autofill'))
  const picks = useRef(0)
  const onOutcome = useEffectEvent((outcome: Outcome) => {
    picks.current += 1
    action.settle(outcome, onDone)
  })
  const offering = action.pending === null ? options : null
  useEffect(() => {
    if (!offering || picks.current >= maxPicks) return
    return keepOfferingPasskeys(offering, { onPicked: () => onPicked(), onOutcome: (outcome) => onOutcome(outcome) })
  }, [offering])
}

/**
 * Autofill stops after this many picks: some authenticators pick a passkey without asking, and would repeat a failure forever.
 */
const maxPicks = 4

/**
 * Continues after signing in, and remembers the username if the person wants it.
 *
 * @param scope where the checkbox is
 * @param onStay runs if the page is still there once its redirects have had their time
 */
async function continueAfterSignIn(scope: HTMLElement | null, next: string, onStay?: () => void): Promise<void> {
  if (scope?.querySelector('[name="remember"]:checked')) await rememberUsername()
  navigateAfterSignIn(next, onStay)
}

/** Ends a sign-in that has led back to an app and left the page where it is, as a URL that opens a program does. */
export const showClosePage = (closePage: string | null, action: Action) =>
  closePage === null ? undefined : () => action.settle({ tone: 'info', text: closePage }, () => undefined)
