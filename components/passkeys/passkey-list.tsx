'use client'

import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { useAccountAction } from '@/components/account/action'
import { PasskeyButton, usePasskeySupport } from '@/components/auth/passkey-button'
import { Callout } from '@/components/ui/feedback/callout'
import { Messages, usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { useWords } from '@/components/ui/words/words'
import { addPasskey } from '@/lib/browser/passkeys/manage'

/** The place of messages about the list of passkeys: above it, at the button that adds one. */
export const passkeyListPlace = 'passkey-list'

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

/** Moves the focus from a removed card to the button that adds a passkey, or, without that button, to its place. */
export function useFocusPasskeyList(): () => void {
  const { focusAfterUpdate } = usePageFeedback()
  const place = () => document.getElementById(passkeyListPlace)
  return () => focusAfterUpdate(() => place()?.querySelector('button') ?? place())
}

/** The messages of a passkey list that has no button to add one. Outside the list, so that it outlasts the last passkey. */
export function PasskeyMessages() {
  return (
    <div id={passkeyListPlace} tabIndex={-1} className="outline-none">
      <Messages place={passkeyListPlace} />
    </div>
  )
}
