'use client'

import { useRef, useState } from 'react'
import { NewPasswordField } from '@/components/auth/new-password-field'
import { usePasskeySupport, useSecurityKeysOnly } from '@/components/auth/use-passkey-support'
import { UsernameField } from '@/components/auth/username-field'
import { Button } from '@/components/ui/button'
import { submitWhenFilled, textOf } from '@/components/ui/form-submission'
import { PasskeyIcon } from '@/components/ui/icons'
import { navigate } from '@/components/ui/navigation'
import { Notice } from '@/components/ui/notice'
import { Messages, PageFeedbackProvider } from '@/components/ui/page-feedback'
import { useAction } from '@/components/ui/use-action'
import { useFill, useWords } from '@/components/ui/words'
import { signUp, signUpWithPasskey } from '@/lib/browser/sign-up'
import type { Site } from '@/lib/browser/site'

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
  const form = useRef<HTMLFormElement>(null)
  const [choice, setChoice] = useState<'passkey' | 'password'>('passkey')
  const action = useAction(form, () => navigate(next))
  const unsupportedReason = usePasskeySupport(site, action)
  const { pending, failure } = action
  const withPassword = site.passwords && (Boolean(unsupportedReason) || choice === 'password')
  const [look, otherLook] = useLooks(site.passwords && !withPassword)

  const submit = submitWhenFilled(action, (data) => {
    const account = { username: textOf(data, 'username'), invitation }
    action.run('sign-up', () => (withPassword ? signUp(account, textOf(data, 'password')) : signUpWithPasskey(account)))
  })

  if (!site.passwords && unsupportedReason) return <NeedsPasskey reason={unsupportedReason} text={words.needsPasskey} />
  return (
    <>
      <Messages live place={action.place} />
      {unsupportedReason && (
        <div className="mb-5">
          <Notice>{unsupportedReason}</Notice>
        </div>
      )}
      {/* method=post keeps the password out of the address if the form is sent before its script has loaded. */}
      <form ref={form} method="post" noValidate onSubmit={submit} className="space-y-4">
        <UsernameField missing={words.enterUsername} hint={words.usernameHint} error={failure?.fields.username} />
        {withPassword && (
          <NewPasswordField
            missing={words.enterPassword}
            passwordMinLength={site.passwordMinLength}
            hint={fill(words.passwordHint, { min: site.passwordMinLength })}
            autoFocus={choice === 'password'}
            pending={pending !== null}
            error={failure?.fields.password}
          />
        )}
        <Button type="submit" look={look} className="mt-1 w-full" pending={pending !== null}>
          {!withPassword && pending === null && <PasskeyIcon />}
          {withPassword ? words.createAccount : words.createPasskey}
        </Button>
      </form>
      {site.passwords && !unsupportedReason && (
        <Button
          look={otherLook}
          className="mt-2 w-full"
          disabled={pending !== null}
          onClick={() => setChoice(withPassword ? 'passkey' : 'password')}
        >
          {withPassword ? forms.usePasskeyInstead : words.usePassword}
        </Button>
      )}
    </>
  )
}

/**
 * The looks of the form's button and of the one that offers the other way. Only these say what is best where only a security
 * key could store a passkey: the browser tells late, and a field that appeared then would move what is about to be pressed.
 */
const useLooks = (offersPassword: boolean) =>
  useSecurityKeysOnly() && offersPassword ? (['secondary', 'primary'] as const) : (['primary', 'quiet'] as const)

/** Where there are no passwords, and passkeys don't work either. */
function NeedsPasskey({ reason, text }: { reason: string; text: string }) {
  return (
    <Notice>
      <p>{reason}</p>
      <p className="mt-1.5 text-muted">{text}</p>
    </Notice>
  )
}
