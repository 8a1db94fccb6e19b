'use client'

import { useRef } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { ActionMessages } from '@/components/account/forms/action-messages'
import { useAccountAction } from '@/components/account/forms/use-account-action'
import { PasskeyButton } from '@/components/auth/passkey-button'
import { usePasskeySupport } from '@/components/auth/use-passkey-support'
import { ButtonLink } from '@/components/ui/button'
import { Callout } from '@/components/ui/feedback/callout'
import { navigate } from '@/components/ui/navigation'
import { useWords } from '@/components/ui/words/words'
import { withNext } from '@/lib/api/urls'
import { addPasskey } from '@/lib/browser/passkeys/manage'

/** The way on to an app that requires a passkey: signing in with one, or adding the first. @param next where a sign-in leads */
export function RequiredPasskey({ next }: { next: string }) {
  const { withPasskey } = useWords('appRequest')
  // Offers to add a passkey: without one, every way to sign in would lead back here.
  if (useAccountContext().account.passkeys.length === 0) return <FirstPasskey next={next} />
  return (
    <div className="grid">
      <ButtonLink href={withNext('/signin', next)} look="primary">
        {withPasskey}
      </ButtonLink>
    </div>
  )
}

/** Adds a passkey, which counts as signing in with it, and goes on. */
function FirstPasskey({ next }: { next: string }) {
  const { addPasskey: label } = useWords('account')
  const { site } = useAccountContext()
  const scope = useRef<HTMLDivElement>(null)
  const action = useAccountAction(scope)
  const unsupportedReason = usePasskeySupport(site)
  const add = () =>
    action.run(
      'add',
      () => addPasskey({ signIn: true }),
      () => navigate(next),
    )
  return (
    <div ref={scope}>
      <ActionMessages action={action} />
      {unsupportedReason ? (
        <Callout>{unsupportedReason}</Callout>
      ) : (
        <PasskeyButton className="w-full" pending={action.pending !== null} onClick={add}>
          {label}
        </PasskeyButton>
      )}
    </div>
  )
}
