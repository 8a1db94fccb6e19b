'use client'

import { useRef, useState } from 'react'
import type { Confirmed } from '@/components/account/account-page'
import { ConfirmForm } from '@/components/account/reauthentication-form'
import { usePasskey } from '@/components/auth/use-passkey-support'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Divider } from '@/components/ui/divider'
import { PasskeyIcon } from '@/components/ui/icons'
import { Notice, Outcomes } from '@/components/ui/notice'
import { useAttempt } from '@/components/ui/use-action'
import type { Account } from '@/lib/browser/account'
import { signInWithPasskey } from '@/lib/browser/sign-in'
import type { Site } from '@/lib/browser/site'

interface Props {
  account: Account
  site: Site
  /** Called once, with null if the person would rather not. */
  onAnswer: (confirmed: Confirmed | null) => void
}

/** Signing in again without leaving the page, by whichever way this account has. */
export function ConfirmIdentity({ account, site, onAnswer }: Props) {
  const scope = useRef<HTMLDivElement>(null)
  const confirmed = useRef<Confirmed>({})
  const attempt = useAttempt(scope, () => {
    onAnswer(confirmed.current)
    return undefined
  })
  const barrier = usePasskey(site, attempt)
  const [choseCode, setChoseCode] = useState(false)
  const busy = attempt.pending !== null
  const hasCodes = account.recoveryCodesLeft > 0
  const canPasskey = account.passkeys.length > 0 && !barrier
  const other = otherWay({ canPasskey, hasPassword: account.hasPassword })
  const byCode = hasCodes && (choseCode || other === null)
  const hasForm = byCode || account.hasPassword

  return (
    <Dialog title="Confirm that it is you" busy={busy} onClose={() => onAnswer(null)}>
      <p className="mt-1 mb-5 text-muted">It has been a while since you signed in. Do it once more to go on.</p>
      <div ref={scope}>
        <Outcomes failure={attempt.failure} remark={attempt.remark} />
        {account.passkeys.length > 0 && barrier && (
          <div className="mb-5">
            <Notice>{barrier}</Notice>
          </div>
        )}
        {canPasskey && (
          <Button
            className="w-full"
            pending={attempt.pending === 'passkey'}
            disabled={busy}
            onClick={() => attempt.run('passkey', signInWithPasskey)}
          >
            {attempt.pending !== 'passkey' && <PasskeyIcon />}
            Use a passkey
          </Button>
        )}
        {canPasskey && hasForm && <Divider>{byCode ? 'or with a recovery code' : 'or with the password'}</Divider>}
        {hasForm && (
          <ConfirmForm
            username={account.username}
            byCode={byCode}
            second={canPasskey}
            attempt={attempt}
            onConfirm={(what) => {
              confirmed.current = what
            }}
          />
        )}
      </div>
      <div className="mt-2 -mb-3 flex flex-col-reverse sm:-mx-4.25 sm:flex-row sm:justify-between">
        <Button look="quiet" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        {hasCodes && other && (
          <Button look="quiet" disabled={busy} onClick={() => setChoseCode(!choseCode)}>
            {byCode ? other : 'Use a recovery code'}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

/** What to call the way back from a recovery code; null if there is no other way. */
function otherWay({ canPasskey, hasPassword }: { canPasskey: boolean; hasPassword: boolean }): string | null {
  if (hasPassword) return 'Use the password'
  return canPasskey ? 'Use no code' : null
}
