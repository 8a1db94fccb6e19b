'use client'

import { useRef } from 'react'
import { continueAfterSignIn, LastUsed, RememberUsername } from '@/components/auth/hint'
import type { SignInProps } from '@/components/auth/sign-in-form'
import { usePasskeySupport } from '@/components/auth/use-passkey-support'
import { Button } from '@/components/ui/button'
import { PasskeyIcon } from '@/components/ui/icons'
import { Notice } from '@/components/ui/notice'
import { Messages } from '@/components/ui/page-feedback'
import { useAction } from '@/components/ui/use-action'
import { useWords } from '@/components/ui/words'
import { signInWithPasskey } from '@/lib/browser/sign-in'

/** Signs in where there are no passwords: with a passkey by button, since autofill needs a field to appear at. */
export function PasskeySignIn({ site, next, hint, onRecover }: SignInProps) {
  const forms = useWords('forms')
  const words = useWords('signIn')
  const scope = useRef<HTMLDivElement>(null)
  const action = useAction(scope, () => void continueAfterSignIn(scope.current, next))
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
              <Button
                className="w-full"
                aria-describedby={lastUsed}
                pending={pending}
                onClick={() => action.run('passkey', signInWithPasskey)}
              >
                {!pending && <PasskeyIcon />}
                {words.withPasskey}
              </Button>
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
