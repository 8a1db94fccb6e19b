'use client'

import { useRef, useState } from 'react'
import { type Reauthentication, ReauthenticationForm } from '@/components/account/reauthentication-form'
import { PasskeyButton } from '@/components/auth/passkey-button'
import { usePasskeySupport } from '@/components/auth/use-passkey-support'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Divider } from '@/components/ui/divider'
import { Notice } from '@/components/ui/notice'
import { Messages } from '@/components/ui/page-feedback'
import { useAction } from '@/components/ui/use-action'
import { useWords } from '@/components/ui/words'
import type { Account } from '@/lib/api/schemas'
import type { Site } from '@/lib/api/site'
import { hasFailed } from '@/lib/browser/errors'
import { reauthenticateWithPasskey } from '@/lib/browser/reauthentication'

interface Props {
  account: Account
  site: Site
  /** Called once; with null if the person cancels. */
  onAnswer: (reauthentication: Reauthentication | null) => void
}

export function ReauthenticationDialog({ account, site, onAnswer }: Props) {
  const forms = useWords('forms')
  const words = useWords('account')
  const scope = useRef<HTMLDivElement>(null)
  const reauthentication = useRef<Reauthentication>({})
  const onDone = () => {
    onAnswer(reauthentication.current)
    return undefined
  }
  const action = useAction(scope, onDone, { inDialog: true })
  const unsupportedReason = usePasskeySupport(site, action)
  const [choseCode, setChoseCode] = useState(false)
  const [isUnverified, setUnverified] = useState(false)
  const labels = { password: words.usePasswordInstead, passkey: forms.usePasskeyInstead }
  const busy = action.pending !== null
  const { canPasskey, hasCodes, byCode, hasForm, otherMethod } = waysOf(account, !unsupportedReason, choseCode)
  const passkeyFirst = canPasskey && !((isUnverified || action.cancelled === 'no_prompt') && hasForm)

  async function usePasskey() {
    const outcome = await reauthenticateWithPasskey()
    if (hasFailed(outcome, 'user_not_verified')) {
      setUnverified(true)
      setChoseCode((chose) => chose || !account.hasPassword)
    }
    return outcome
  }
  return (
    <Dialog title={words.confirm} busy={busy} onClose={() => onAnswer(null)}>
      <p className="mt-1 mb-5 text-muted">{words.confirmText}</p>
      <div ref={scope}>
        <Messages live place={action.place} />
        {account.passkeys.length > 0 && unsupportedReason && <Notice className="mb-5">{unsupportedReason}</Notice>}
        {canPasskey && (
          <PasskeyButton
            className="w-full"
            look={passkeyFirst ? 'primary' : 'secondary'}
            pending={action.pending === 'passkey'}
            disabled={busy}
            onClick={() => action.run('passkey', usePasskey)}
          >
            {words.usePasskey}
          </PasskeyButton>
        )}
        {canPasskey && hasForm && <Divider>{byCode ? words.orRecoveryCode : words.orPassword}</Divider>}
        {hasForm && (
          <ReauthenticationForm
            username={account.username}
            byCode={byCode}
            second={passkeyFirst}
            action={action}
            onReauthenticate={(what) => {
              reauthentication.current = what
            }}
          />
        )}
      </div>
      <div className="mt-2 -mb-3 flex flex-col-reverse sm:-mx-4.25 sm:flex-row sm:justify-between">
        <Button look="quiet" onClick={() => onAnswer(null)}>
          {forms.cancel}
        </Button>
        {hasCodes && otherMethod && (
          <Button look="quiet" disabled={busy} onClick={() => setChoseCode(!choseCode)}>
            {byCode ? labels[otherMethod] : forms.useRecoveryCode}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

/** The ways to reauthenticate, and which of them the dialog's form takes. */
function waysOf({ passkeys, hasPassword, recoveryCodesLeft }: Account, isSupported: boolean, choseCode: boolean) {
  const canPasskey = passkeys.length > 0 && isSupported
  const hasCodes = recoveryCodesLeft > 0
  const passkeyInstead = canPasskey ? ('passkey' as const) : null
  const otherMethod = hasPassword ? ('password' as const) : passkeyInstead
  const byCode = hasCodes && (choseCode || otherMethod === null)
  return { canPasskey, hasCodes, byCode, hasForm: byCode || hasPassword, otherMethod }
}
