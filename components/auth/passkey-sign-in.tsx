'use client'

import { useRef } from 'react'
import { usePasskeySupport } from '@/components/auth/use-passkey-support'
import { Button } from '@/components/ui/button'
import { PasskeyIcon } from '@/components/ui/icons'
import { navigateAfterSignIn } from '@/components/ui/navigation'
import { Notice } from '@/components/ui/notice'
import { Messages } from '@/components/ui/page-feedback'
import { useAction } from '@/components/ui/use-action'
import { useWords } from '@/components/ui/words'
import { signInWithPasskey } from '@/lib/browser/sign-in'
import type { Site } from '@/lib/browser/site'

/** Signs in where there are no passwords: with a passkey by button, since autofill needs a field to appear at. */
export function PasskeySignIn({ site, next, onRecover }: { site: Site; next: string; onRecover: () => void }) {
  const forms = useWords('forms')
  const words = useWords('signIn')
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
          <p className="mb-5 text-muted">{words.aboutPasskey}</p>
          <Button className="w-full" pending={pending} onClick={() => action.run('passkey', signInWithPasskey)}>
            {!pending && <PasskeyIcon />}
            {words.withPasskey}
          </Button>
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
