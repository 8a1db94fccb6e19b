'use client'

import { useState } from 'react'
import { RecoveryCodeForm } from '@/components/auth/recovery-code-form'
import { SignInForm } from '@/components/auth/sign-in-form'
import type { SignInProps } from '@/components/auth/use-sign-in'
import { PageFeedbackProvider } from '@/components/ui/page-feedback'
import type { AuthenticationOptions } from '@/lib/api/schemas'
import { optionsAtHand } from '@/lib/browser/passkeys/options-at-hand'
import { cancelPrompt } from '@/lib/browser/prompt'

interface Props extends Pick<SignInProps, 'site' | 'next' | 'remembered' | 'hint'> {
  /** Null if the browser has to ask for them. */
  passkeyOptions: AuthenticationOptions | null
  /** Where a recovery code leads to. */
  afterRecovery: string
}

export function SignInMethods({ passkeyOptions, afterRecovery, ...props }: Props) {
  const { passwords, supportUrl } = props.site
  const [options] = useState(() => optionsAtHand(passkeyOptions))
  const [recovering, setRecovering] = useState(false)
  function recover() {
    cancelPrompt()
    setRecovering(true)
  }
  return (
    <PageFeedbackProvider supportUrl={supportUrl}>
      {recovering ? (
        <RecoveryCodeForm passwords={passwords} next={afterRecovery} onBack={() => setRecovering(false)} />
      ) : (
        <SignInForm {...props} options={options} onRecover={recover} />
      )}
    </PageFeedbackProvider>
  )
}
