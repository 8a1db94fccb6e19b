'use client'

import { useRef } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { ActionMessages } from '@/components/account/action'
import { PasskeyButton, usePasskeySupport } from '@/components/auth/passkey-button'
import { ButtonLink } from '@/components/ui/button'
import { Callout } from '@/components/ui/feedback/callout'
import { useAction } from '@/components/ui/feedback/page-feedback'
import { useWords } from '@/components/ui/words/words'
import { reauthenticateWithPasskey } from '@/lib/browser/sign-in/reauthentication'

/** Asks an administrator for the passkey, in place of a page that this session does not open yet. */
export function Unlock() {
  const words = useWords('admin')
  const { usePasskey, addPasskey } = useWords('account')
  const { account, site } = useAccountContext()
  const scope = useRef<HTMLDivElement>(null)
  const action = useAction(scope)
  const unsupportedReason = usePasskeySupport(site)
  const hasPasskeys = account.passkeys.length > 0
  const unlock = () =>
    action.run('passkey', reauthenticateWithPasskey, () => {
      // The same address: the server now answers with the page.
      window.location.reload()
    })
  return (
    <div ref={scope} className="mx-auto max-w-md">
      <h1 className="text-display font-semibold">{words.locked}</h1>
      <p className="mt-2 mb-6 text-lead text-muted">{hasPasskeys ? words.lockedText : words.lockedWithout}</p>
      <ActionMessages action={action} />
      {hasPasskeys && unsupportedReason && <Callout className="mb-5">{unsupportedReason}</Callout>}
      <div className="grid">
        {hasPasskeys ? (
          <PasskeyButton pending={action.pending === 'passkey'} disabled={action.busy} onClick={unlock}>
            {usePasskey}
          </PasskeyButton>
        ) : (
          <ButtonLink href="/passkeys" look="primary">
            {addPasskey}
          </ButtonLink>
        )}
      </div>
    </div>
  )
}
