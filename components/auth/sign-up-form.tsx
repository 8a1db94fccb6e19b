'use client'

import { type FormEvent, type RefObject, useRef, useState } from 'react'
import { UsernameField } from '@/components/auth/fields'
import { NewPasswordField } from '@/components/auth/new-password-field'
import { PasskeyButton, usePasskeySupport, useSecurityKeysOnly } from '@/components/auth/passkey-button'
import { SupportLink, SwitchPageButton, SwitchPageLink } from '@/components/auth/sign-up-links'
import { useFragment } from '@/components/auth/url-fragment'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/feedback/callout'
import { Messages, PageFeedbackProvider, useAction, usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { Form, submitWhenFilled, textOf } from '@/components/ui/forms/form'
import { PasskeyIcon } from '@/components/ui/icons/form-icons'
import { SheetIcon, SparkIcon } from '@/components/ui/icons/icons'
import { navigateAfterSignIn } from '@/components/ui/navigation'
import { useChangedTitle, useKeepQueryInLanguageLinks } from '@/components/ui/page/title-and-url'
import { useClientPromise } from '@/components/ui/use-client-value'
import { useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import { administrators } from '@/lib/api/names'
import type { Site } from '@/lib/api/site'
import { promptEndOf } from '@/lib/browser/failures/outcomes'
import { deviceStoresPasskeys } from '@/lib/browser/passkeys/capabilities'
import { cancelPrompt } from '@/lib/browser/passkeys/prompt'
import { signUp, signUpWithPasskey } from '@/lib/browser/sign-in/sign-up'

/**
 * What an invitation says; null where part of it is missing. Read without checking its signature: the server decides, and alone
 * knows if it has been used. This page only stops offering what it would refuse.
 */
function readInvitation(invitation: string): { groups?: string[] } | null {
  try {
    // The payload, before a signature of 256 bits (RFC 7515 section 3.1).
    const [, payload = ''] = /^[\w-]+\.([\w-]+)\.[\w-]{43}$/.exec(invitation) ?? []
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return null
  }
}

/** Whom the page's URL invites; `broken` is a cut link where one is needed. */
type Invited = 'nobody' | 'broken' | 'person' | 'administrator'

function whomInvites(invitation: string | undefined, { signUp }: Site): Invited {
  const read = invitation === undefined ? undefined : readInvitation(invitation)
  // The first administrator comes in even while sign-up is closed.
  if (read?.groups?.includes(administrators)) return 'administrator'
  if (read === undefined || signUp === 'closed') return 'nobody'
  return read === null && signUp === 'invited' ? 'broken' : 'person'
}

/** The invitation is in the URL's fragment, which only the browser sees: the server renders what is likely. */
function useInvitation(site: Site) {
  const fragment = useFragment()
  const invitation = new URLSearchParams(fragment).get('invitation') ?? undefined
  const likely: Invited = site.signUp === 'invited' ? 'person' : 'nobody'
  return { invitation, invited: fragment === undefined ? likely : whomInvites(invitation, site) }
}

interface HeadingProps {
  site: Site
  says: Record<Invited, { title: string; lead: string }>
}

/** The heading above SignUpForm. */
export function InvitationTitle({ site, says }: HeadingProps) {
  const { title } = says[useInvitation(site).invited]
  useChangedTitle(title, site.appName)
  return title
}

/** The sentences below that heading. */
export const InvitationLead = ({ site, says }: HeadingProps) => says[useInvitation(site).invited].lead

const points = [
  ['next', PasskeyIcon],
  ['remember', SparkIcon],
  ['lost', SheetIcon],
] as const

/** Explains passkeys to people who are new to them. Stands below the passkey button. */
function AboutPasskeys() {
  const { aboutPasskeys } = useWords('signUp')
  const isHere = useClientPromise(deviceStoresPasskeys, true)
  const isOnPhone = !(useSecurityKeysOnly() || isHere)
  return (
    <ul className="mt-5 space-y-2 not-last:mb-4 text-small text-muted">
      {points.map(([point, Icon]) => (
        <li key={point} className="flex gap-2.5">
          <span className="text-accent">
            <Icon />
          </span>
          {aboutPasskeys[point === 'next' && isOnPhone ? 'nextOnPhone' : point]}
        </li>
      ))}
    </ul>
  )
}

export function SignUpForm(props: Omit<SignUpProps, 'invitation'>) {
  const { invitation, invited } = useInvitation(props.site)
  useKeepQueryInLanguageLinks()
  if (invited === 'broken' || (invited === 'nobody' && props.site.signUp !== 'open')) return <Uninvited {...props} />
  // An administrator needs a passkey.
  const site = invited === 'administrator' ? { ...props.site, passwords: false } : props.site
  return (
    <PageFeedbackProvider supportUrl={site.supportUrl}>
      <OpenSignUp {...props} site={site} invitation={invitation} />
    </PageFeedbackProvider>
  )
}

function OpenSignUp(props: SignUpProps) {
  const { passwords, passwordMinLength } = props.site
  const { signIn } = useWords('forms')
  const words = useWords('signUp')
  const fill = useFill()
  const form = useRef<HTMLFormElement>(null)
  const { submit, ...methods } = useSignUp(form, props)
  const { action, unsupportedReason, method } = methods
  const { pending, failure } = action

  if (!passwords && unsupportedReason) return <NeedsPasskey reason={unsupportedReason} text={words.needsPasskey} />
  return (
    <>
      <Messages live place={action.place} />
      {unsupportedReason && <Callout className="mb-5">{unsupportedReason}</Callout>}
      <Form action={action} ref={form} onSubmit={submit} className="space-y-4">
        <UsernameField missing={words.enterUsername} hint={words.usernameHint} error={failure?.fields.username} />
        {failure?.code === 'username_taken' && failure.fields.username && (
          <div data-offers-sign-in className="-mt-4 mb-1 ps-6.5 text-small *:justify-start">
            <SwitchPageLink question={words.isItYours} href={props.signInHref} name={signIn} />
          </div>
        )}
        {method === 'password' && (
          <NewPasswordField
            missing={words.enterPassword}
            passwordMinLength={passwordMinLength}
            hint={fill(words.passwordHint, { min: passwordMinLength })}
            pending={pending !== null}
            error={failure?.fields.password}
          />
        )}
        <FormButton {...methods} />
      </Form>
      {/* Rendered by the server, too: appearing later, it would shift the page. */}
      {!unsupportedReason && method === 'passkey' && <AboutPasskeys />}
      {passwords && !unsupportedReason && <OtherMethod {...methods} />}
    </>
  )
}

type Methods = Omit<ReturnType<typeof useSignUp>, 'submit'>

/** The button that Enter in a field presses, unless another button is the primary one. */
function FormButton({ action: { pending, busy }, method, primary, tryPasskey }: Methods) {
  const words = useWords('signUp')
  const shared = { className: 'mt-1 w-full', disabled: busy }
  if (method === 'password')
    return (
      <Button {...shared} type="submit" pending={pending === 'password'}>
        {words.createAccount}
      </Button>
    )
  const start =
    primary === 'passkey'
      ? ({ look: 'primary', type: 'submit' } as const)
      : ({ look: 'secondary', type: 'button', onClick: tryPasskey } as const)
  return (
    <PasskeyButton {...shared} {...start} pending={pending === 'passkey'}>
      {words.createPasskey}
    </PasskeyButton>
  )
}

/** A second try of the passkey after a browser opened no prompt, and otherwise the method that the form does not take. */
function OtherMethod({
  action: { pending, busy },
  choice,
  isKeysOnly,
  method,
  primary,
  tryPasskey,
  toggleMethod,
}: Methods) {
  const forms = useWords('forms')
  const words = useWords('signUp')
  if (choice === 'either')
    return (
      <PasskeyButton
        look="secondary"
        className="mt-2 w-full"
        pending={pending === 'passkey'}
        disabled={busy}
        onClick={tryPasskey}
      >
        {words.createPasskey}
      </PasskeyButton>
    )
  return (
    <Button
      look={primary !== method ? 'primary' : isKeysOnly ? 'secondary' : 'quiet'}
      className="mt-2 w-full"
      disabled={busy}
      onClick={toggleMethod}
    >
      {method !== 'password' ? words.usePassword : isKeysOnly ? words.useKey : forms.usePasskeyInstead}
    </Button>
  )
}

/** Takes the place of the form, and of the link to sign-in below it. */
function Uninvited({ site: { supportUrl }, signInHref }: Pick<SignUpProps, 'site' | 'signInHref'>) {
  const { haveAccount } = useWords('signUp')
  const { contactSupport } = useWords('failures')
  const { signIn } = useWords('forms')
  return (
    <div data-offers-sign-in className="-mt-4">
      <SupportLink url={supportUrl} text={contactSupport} />
      <SwitchPageButton question={haveAccount} href={signInHref} name={signIn} />
    </div>
  )
}

/** Says that this site needs a passkey, where passwords are off and passkeys don't work. */
function NeedsPasskey({ reason, text }: { reason: string; text: string }) {
  return (
    <Callout>
      <p>{reason}</p>
      <p className="mt-1.5 text-muted">{text}</p>
    </Callout>
  )
}

interface SignUpProps {
  site: Site
  next: string
  signInHref: string
  invitation: string | undefined
}

/**
 * The behaviour of /signup's form, which creates a passkey, or takes a password where passkeys don't work or the person prefers
 * one.
 *
 * @returns `method` is what the form takes; `primary` is the method whose button is the primary one
 */
function useSignUp(form: RefObject<HTMLFormElement | null>, { site, next, invitation }: SignUpProps) {
  const { enterUsername } = useWords('signUp')
  const { focusAfterUpdate } = usePageFeedback()
  // `either`: this browser opened no prompt, so the password comes first, and the person can try the passkey again.
  const [chosen, setChoice] = useState<'passkey' | 'password' | 'either' | null>(null)
  const action = useAction(form)
  const onDone = () => navigateAfterSignIn(next)
  const unsupportedReason = usePasskeySupport(site)
  const isKeysOnly = useSecurityKeysOnly() && site.passwords
  // Few people have a security key: where nothing else could store a passkey, the form begins with the password.
  const choice = chosen ?? (isKeysOnly ? 'password' : 'passkey')
  const takesPassword = site.passwords && (Boolean(unsupportedReason) || choice !== 'passkey')
  const method = takesPassword ? 'password' : 'passkey'
  const primary = takesPassword || isKeysOnly ? 'password' : 'passkey'

  const send = submitWhenFilled(action, (data) => {
    const username = textOf(data, 'username')
    if (takesPassword) action.run('password', () => signUp({ username, invitation }, textOf(data, 'password')), onDone)
    else createPasskey(username)
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    if (primary === method) send(event)
    else {
      event.preventDefault()
      offerPassword('password')
    }
  }
  async function createPasskey(username: string) {
    const outcome = await action.run('passkey', () => signUpWithPasskey({ username, invitation }), onDone)
    if (outcome && promptEndOf(outcome) === 'no_prompt' && site.passwords) offerPassword('either')
  }
  /** Runs from a button that does not submit the form. */
  function tryPasskey() {
    const username = textOf(new FormData(form.current ?? undefined), 'username')
    if (username.trim()) createPasskey(username)
    else action.setFieldErrors({ username: enterUsername })
  }
  function offerPassword(how: 'password' | 'either') {
    setChoice(how)
    // Focuses the first empty field in the order of the form, where the username comes before the password.
    focusAfterUpdate(() => [...(form.current?.querySelectorAll('input') ?? [])].find(({ value }) => value === ''))
  }
  function toggleMethod() {
    cancelPrompt()
    if (takesPassword) setChoice('passkey')
    else offerPassword('password')
  }
  return { action, choice, isKeysOnly, unsupportedReason, method, primary, submit, tryPasskey, toggleMethod }
}
