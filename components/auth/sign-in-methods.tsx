'use client'

import { useState } from 'react'
import { RecoveryCodeForm } from '@/components/auth/recovery-code-form'
import { SignInForm } from '@/components/auth/sign-in-form'
import type { Site } from '@/lib/browser/site'

/** The sign-in form, or in its place the one for somebody who has lost passkey and password. */
export function SignInMethods({ site, next }: { site: Site; next: string }) {
  const [recovering, setRecovering] = useState(false)
  return recovering ? (
    <RecoveryCodeForm onBack={() => setRecovering(false)} />
  ) : (
    <SignInForm site={site} next={next} onRecover={() => setRecovering(true)} />
  )
}
