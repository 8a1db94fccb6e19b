'use client'

import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { useAccountAction } from '@/components/account/forms/use-account-action'
import { PasskeyButton } from '@/components/auth/passkey-button'
import { usePasskeySupport } from '@/components/auth/use-passkey-support'
import { Callout } from '@/components/ui/feedback/callout'
import { Messages } from '@/components/ui/feedback/page-feedback'
import { useWords } from '@/components/ui/words/words'
import { addPasskey } from '@/lib/browser/passkeys/manage'
import { passkeyListPlace } from './passkey-messages'

/** Adds a passkey to the account. Messages about the list appear here, too. */
export function AddPasskey() {
  const { addPasskey: label } = useWords('account')
  const words = useWords('passkeys')
  const { account, site } = useAccountContext()
  const scope = useRef<HTMLDivElement>(null)
  const router = useRouter()
  const onDone = () => {
    router.refresh()
    return words.added
  }
  const action = useAccountAction(scope, { place: passkeyListPlace })
  const unsupportedReason = usePasskeySupport(site)
  return (
    <div ref={scope} id={passkeyListPlace} tabIndex={-1} className="outline-none">
      {unsupportedReason ? (
        <Callout>{unsupportedReason}</Callout>
      ) : (
        <PasskeyButton
          // Two passkeys are enough, so a third is not the page's main step.
          look={account.passkeys.length < 2 ? 'primary' : 'secondary'}
          className="w-full sm:w-auto"
          pending={action.pending !== null}
          onClick={() => action.run('add', () => addPasskey(), onDone)}
        >
          {label}
        </PasskeyButton>
      )}
      {/* Beside the list that they are about. */}
      <Messages place={passkeyListPlace} className="not-empty:mt-4" />
    </div>
  )
}
