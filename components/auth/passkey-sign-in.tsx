'use client'

import { useRef } from 'react'
import { continueAfterSignIn, LastUsed, RememberUsername } from '@/components/auth/hint'
import { PasskeyButton } from '@/components/auth/passkey-button'
import type { SignInProps } from '@/components/auth/sign-in-form'
import { usePasskeySignIn } from '@/components/auth/use-passkey-sign-in'
import { usePasskeySupport } from '@/components/auth/use-passkey-support'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { Messages } from '@/components/ui/page-feedback'
import { useAction } from '@/components/ui/use-action'
import { useWords } from '@/components/ui/words'

/** Signs in where there are no passwords: with a passkey by button, since autofill needs a field to appear at. */
export function PasskeySignIn({ site, next, hint, options, onRecover }: SignInProps) {
  const forms = useWords('forms')
  const words = useWords('signIn')
  const scope = useRef<HTMLDivElement>(null)
  const action = useAction(scope, () => void continueAfterSignIn(scope.current, next))
  const passkey = usePasskeySignIn(action, options)
  const unsupportedReason = usePasskeySupport(site, action)
  const pending = action.pending !== null
  return (
    <div ref={scope}>
      <Messages live place={action.place} />
      {unsupportedReason ? (
        <div className="mb-5">
          <Notice>{unsupportedReason}</Notice>
        </div>
      ) : (
        <>
          <p className="mb-5 text-muted">{words.aboutPasskey}</p>
          <LastUsed marks={hint.method === 'passkey'}>
            {(lastUsed) => (
              <PasskeyButton className="w-full" aria-describedby={lastUsed} pending={pending} onClick={passkey.signIn}>
                {passkey.label}
              </PasskeyButton>
            )}
          </LastUsed>
          <RememberUsername hint={hint} disabled={pending} />
        </>
      )}
      <Button
        look={unsupportedReason ? 'primary' : 'quiet'}
        className="mt-2 w-full"
        disabled={pending}
        onClick={onRecover}
      >
        {forms.useRecoveryCode}
      </Button>
    </div>
  )
}
