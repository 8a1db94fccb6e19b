'use client'

import { useRef } from 'react'
import { usePasskeySupport } from '@/components/auth/use-passkey-support'
import { Button } from '@/components/ui/button'
import { PasskeyIcon } from '@/components/ui/icons'
import { navigateAfterSignIn } from '@/components/ui/navigation'
import { Notice } from '@/components/ui/notice'
import { Messages } from '@/components/ui/page-feedback'
import { useAction } from '@/components/ui/use-action'
import { signInWithPasskey } from '@/lib/browser/sign-in'
import type { Site } from '@/lib/browser/site'

/** Signs in where there are no passwords: with a passkey by button, since autofill needs a field to appear at. */
export function PasskeySignIn({ site, next, onRecover }: { site: Site; next: string; onRecover: () => void }) {
  const scope = useRef<HTMLDivElement>(null)
  const action = useAction(scope, () => navigateAfterSignIn(next))
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
          <p className="mb-5 text-muted">
            Use your fingerprint, face or screen lock, on this device or another. There is no password to remember.
          </p>
          <Button className="w-full" pending={pending} onClick={() => action.run('passkey', signInWithPasskey)}>
            {!pending && <PasskeyIcon />}
            Sign in with a passkey
          </Button>
        </>
      )}
      <Button
        look={unsupportedReason ? 'primary' : 'quiet'}
        className="mt-2 w-full"
        disabled={pending}
        onClick={onRecover}
      >
        Use a recovery code
      </Button>
    </div>
  )
}
