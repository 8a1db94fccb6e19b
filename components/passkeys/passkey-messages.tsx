'use client'

import { passkeyListPlace } from '@/components/passkeys/use-passkey-list'
import { Messages } from '@/components/ui/feedback/page-feedback'

/** What is said about a list of passkeys without a button to add one. Not inside the list: it stays when the last passkey goes. */
export function PasskeyMessages() {
  return (
    <div id={passkeyListPlace} tabIndex={-1} className="outline-none">
      <Messages place={passkeyListPlace} />
    </div>
  )
}
