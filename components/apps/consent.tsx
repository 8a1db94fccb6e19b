'use client'

import { useRef } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { ActionButton, ActionMessages, useAccountAction } from '@/components/account/action'
import { ReturnNotice, staysPending, useReturnToApp, useSettledPress } from '@/components/apps/answering'
import { PasskeyButton, usePasskeySupport } from '@/components/auth/passkey-button'
import { ButtonLink } from '@/components/ui/button'
import { Callout } from '@/components/ui/feedback/callout'
import { navigate } from '@/components/ui/navigation'
import { useWords } from '@/components/ui/words/words'
import { withNext } from '@/lib/api/urls'
import { answerAppRequest } from '@/lib/browser/apps'
import { addPasskey } from '@/lib/browser/passkeys/manage'

interface Props {
  request: string
  /** The label; without it, the person cannot allow the app */
  allow?: string
  decline: string
}

/** The buttons for answering an app's request. */
export function ConsentButtons({ request, allow, decline }: Props) {
  const scope = useRef<HTMLDivElement>(null)
  const { closePage } = useWords('appRequest')
  const { hasNotLeft, returnToApp } = useReturnToApp(scope)
  const settled = useSettledPress()
  const action = useAccountAction(scope)
  const answer = (name: string, isAllowed: boolean) =>
    settled(() => action.run(name, () => answerAppRequest(request, isAllowed, returnToApp), staysPending))
  if (hasNotLeft) return <ReturnNotice scope={scope} text={closePage} />
  return (
    <div ref={scope}>
      <ActionMessages action={action} />
      {allow && (
        <ActionButton action={action} name="allow" className="w-full" onClick={answer('allow', true)}>
          {allow}
        </ActionButton>
      )}
      <ActionButton
        action={action}
        name="decline"
        look={allow ? 'quiet' : 'secondary'}
        className="mt-2 w-full"
        onClick={answer('decline', false)}
      >
        {decline}
      </ActionButton>
    </div>
  )
}

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
