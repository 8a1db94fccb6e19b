'use client'

import { useState } from 'react'
import { RecoveryCodeForm } from '@/components/auth/recovery-code-form'
import { SignInForm } from '@/components/auth/sign-in-form'
import { PageFeedbackProvider } from '@/components/ui/page-feedback'
import type { Site } from '@/lib/browser/site'

export function SignInMethods({ site, next }: { site: Site; next: string }) {
  const [recovering, setRecovering] = useState(false)
  return (
    <PageFeedbackProvider>
      {recovering ? (
        <RecoveryCodeForm onBack={() => setRecovering(false)} />
      ) : (
        <SignInForm site={site} next={next} onRecover={() => setRecovering(true)} />
      )}
    </PageFeedbackProvider>
  )
}
