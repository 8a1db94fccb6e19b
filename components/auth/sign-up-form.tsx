'use client'

import { useRef, useState } from 'react'
import { AboutPasskeys } from '@/components/auth/about-passkeys'
import { NewPasswordField } from '@/components/auth/new-password-field'
import { PasskeyButton } from '@/components/auth/passkey-button'
import { usePasskeySupport, useSecurityKeysOnly } from '@/components/auth/use-passkey-support'
import { UsernameField } from '@/components/auth/username-field'
import { Button } from '@/components/ui/button'
import { useFill } from '@/components/ui/filled'
import { submitWhenFilled, textOf } from '@/components/ui/form-submission'
import { navigateAfterSignIn } from '@/components/ui/navigation'
import { Notice } from '@/components/ui/notice'
import { Messages, PageFeedbackProvider, usePageFeedback } from '@/components/ui/page-feedback'
import { useAction } from '@/components/ui/use-action'
import { useWords } from '@/components/ui/words'
import type { Site } from '@/lib/api/site'
import { promptEndOf } from '@/lib/browser/errors'
import type { PromptEnd } from '@/lib/browser/prompt'
import { signUp, signUpWithPasskey } from '@/lib/browser/sign-up'

interface Props {
  site: Site
  next: string
  invitation?: string | undefined
}

export function SignUpForm(props: Props) {
  return (
    <PageFeedbackProvider supportUrl={props.site.supportUrl}>
      <Form {...props} />
    </PageFeedbackProvider>
  )
}

function Form({ site, next, invitation }: Props) {
  const forms = useWords('forms')
  const words = useWords('signUp')
  const fill = useFill()
  const { focusAfterUpdate } = usePageFeedback()
  const form = useRef<HTMLFormElement>(null)
  // `either`: this browser opened no prompt, so the password comes first, and the passkey can be tried again.
  const [choice, setChoice] = useState<'passkey' | 'password' | 'either'>('passkey')
  const action = useAction(form, () => navigateAfterSignIn(next))
  const unsupportedReason = usePasskeySupport(site, action)
  const { pending, failure } = action
  const withPassword = site.passwords && (Boolean(unsupportedReason) || choice !== 'passkey')
  const [look, otherLook] = useLooks(site.passwords && !withPassword)

  const submit = submitWhenFilled(action, (data) => {
    const username = textOf(data, 'username')
    if (withPassword) action.run('password', () => signUp({ username, invitation }, textOf(data, 'password')))
    else createPasskey(username)
  })
  async function createPasskey(username: string) {
    let end = null as PromptEnd | null
    await action.run('passkey', async () => {
      const outcome = await signUpWithPasskey({ username, invitation })
      end = promptEndOf(outcome)
      return outcome
    })
    if (end === 'no_prompt' && site.passwords) offerPassword('either')
  }
  function tryPasskeyAgain() {
    const username = textOf(new FormData(form.current ?? undefined), 'username')
    if (username.trim()) createPasskey(username)
    else action.setFieldErrors({ username: words.enterUsername })
  }

  function offerPassword(how: 'password' | 'either') {
    setChoice(how)
    // In the order of the form: an empty username comes before the password.
    focusAfterUpdate(() => [...(form.current?.querySelectorAll('input') ?? [])].find(({ value }) => value === ''))
  }

  if (!site.passwords && unsupportedReason) return <NeedsPasskey reason={unsupportedReason} text={words.needsPasskey} />
  return (
    <>
      <Messages live place={action.place} />
      {unsupportedReason && <Notice className="mb-5">{unsupportedReason}</Notice>}
      {/* method=post keeps the password out of the address if the form is sent before its script has loaded. */}
      <form ref={form} method="post" noValidate onSubmit={submit} className="space-y-4">
        <UsernameField missing={words.enterUsername} hint={words.usernameHint} error={failure?.fields.username} />
        {withPassword && (
          <NewPasswordField
            missing={words.enterPassword}
            passwordMinLength={site.passwordMinLength}
            hint={fill(words.passwordHint, { min: site.passwordMinLength })}
            pending={pending !== null}
            error={failure?.fields.password}
          />
        )}
        <SubmitButton look={look} withPassword={withPassword} pending={pending} />
      </form>
      {choice === 'either' && (
        <PasskeyButton
          look="secondary"
          className="mt-2 w-full"
          pending={pending === 'passkey'}
          disabled={pending !== null}
          onClick={tryPasskeyAgain}
        >
          {words.createPasskey}
        </PasskeyButton>
      )}
      {site.passwords && choice !== 'either' && !unsupportedReason && (
        <Button
          look={otherLook}
          className="mt-2 w-full"
          disabled={pending !== null}
          onClick={() => (withPassword ? setChoice('passkey') : offerPassword('password'))}
        >
          {withPassword ? forms.usePasskeyInstead : words.usePassword}
        </Button>
      )}
      {/* Also from the server, which cannot know: what appeared later would move the page. */}
      {!unsupportedReason && !withPassword && <AboutPasskeys />}
    </>
  )
}

/**
 * The looks of the form's button and of the one that offers the other way. Only these say what is best where only a security
 * key could store a passkey: the browser tells late, and a field that appeared then would move what is about to be pressed.
 */
const useLooks = (offersPassword: boolean) =>
  useSecurityKeysOnly() && offersPassword ? (['secondary', 'primary'] as const) : (['primary', 'quiet'] as const)

interface SubmitButtonProps {
  look: 'primary' | 'secondary'
  withPassword: boolean
  pending: string | null
}

function SubmitButton({ look, withPassword, pending }: SubmitButtonProps) {
  const words = useWords('signUp')
  const shared = { type: 'submit', look, className: 'mt-1 w-full', disabled: pending !== null } as const
  return withPassword ? (
    <Button {...shared} pending={pending === 'password'}>
      {words.createAccount}
    </Button>
  ) : (
    <PasskeyButton {...shared} pending={pending === 'passkey'}>
      {words.createPasskey}
    </PasskeyButton>
  )
}

/** Where there are no passwords, and passkeys don't work either. */
function NeedsPasskey({ reason, text }: { reason: string; text: string }) {
  return (
    <Notice>
      <p>{reason}</p>
      <p className="mt-1.5 text-muted">{text}</p>
    </Notice>
  )
}
