'use client'

import { passkeyListPlace } from '@/components/passkeys/passkey-list-place'
import { Messages } from '@/components/ui/feedback/page-feedback'

/** The messages of a passkey list that has no button to add one. Outside the list, so that it outlasts the last passkey. */
export function PasskeyMessages() {
  return (
    <div id={passkeyListPlace} tabIndex={-1} className="outline-none">
      <Messages place={passkeyListPlace} />
    </div>
  )
}
