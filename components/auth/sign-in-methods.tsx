'use client'

import { useState } from 'react'
import type { Hint } from '@/components/auth/hint'
import { PasskeySignIn } from '@/components/auth/passkey-sign-in'
import { RecoveryCodeForm } from '@/components/auth/recovery-code-form'
import { SignInForm } from '@/components/auth/sign-in-form'
import { PageFeedbackProvider } from '@/components/ui/page-feedback'
import type { Site } from '@/lib/browser/site'

export function SignInMethods({ site, next, hint }: { site: Site; next: string; hint: Hint }) {
  const [recovering, setRecovering] = useState(false)
  const Form = site.passwords ? SignInForm : PasskeySignIn
  return (
    <PageFeedbackProvider supportUrl={site.supportUrl}>
      {recovering ? (
        <RecoveryCodeForm passwords={site.passwords} onBack={() => setRecovering(false)} />
      ) : (
        <Form site={site} next={next} hint={hint} onRecover={() => setRecovering(true)} />
      )}
    </PageFeedbackProvider>
  )
}
