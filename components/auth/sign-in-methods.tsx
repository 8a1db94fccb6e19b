'use client'

import { useState } from 'react'
import type { Hint } from '@/components/auth/hint'
import { PasskeySignIn } from '@/components/auth/passkey-sign-in'
import { RecoveryCodeForm } from '@/components/auth/recovery-code-form'
import { SignInForm } from '@/components/auth/sign-in-form'
import { PageFeedbackProvider } from '@/components/ui/page-feedback'
import type { AuthenticationOptions } from '@/lib/api/schemas'
import type { Site } from '@/lib/api/site'
import { optionsAtHand } from '@/lib/browser/passkeys/options-at-hand'

interface Props {
  site: Site
  next: string
  hint: Hint
  /** Null if the browser has to ask for them. */
  passkeyOptions: AuthenticationOptions | null
}

export function SignInMethods({ site, next, hint, passkeyOptions }: Props) {
  const [options] = useState(() => optionsAtHand(passkeyOptions))
  const [recovering, setRecovering] = useState(false)
  const Form = site.passwords ? SignInForm : PasskeySignIn
  return (
    <PageFeedbackProvider supportUrl={site.supportUrl}>
      {recovering ? (
        <RecoveryCodeForm passwords={site.passwords} onBack={() => setRecovering(false)} />
      ) : (
        <Form site={site} next={next} hint={hint} options={options} onRecover={() => setRecovering(true)} />
      )}
    </PageFeedbackProvider>
  )
}
