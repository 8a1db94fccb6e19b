'use client'

import { useRef, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { ActionButton, ActionMessages, useAccountAction } from '@/components/account/action'
import { ReturnNotice, staysPending, useReturnToApp, useSettledPress } from '@/components/apps/answering'
import { PasskeyButton, usePasskeySupport } from '@/components/auth/passkey-button'
import { ButtonLink } from '@/components/ui/button'
import { Callout } from '@/components/ui/feedback/callout'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { navigate } from '@/components/ui/navigation'
import { useChangedTitle } from '@/components/ui/page/title-and-url'
import { useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import { withNext } from '@/lib/api/urls'
import { answerAppRequest, answerDevice } from '@/lib/browser/apps'
import { addPasskey } from '@/lib/browser/passkeys/manage'

interface ConsentButtonsProps {
  request: string
  /** The label; without it, the person cannot allow the app */
  allow?: string
  decline: string
}

/** The buttons for answering an app's request. */
export function ConsentButtons({ request, allow, decline }: ConsentButtonsProps) {
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

interface DeviceButtonsProps {
  userCode: string
  app: string
  /** The page's title, which says the answer once there is one */
  titleId: string
  /** Why this account cannot allow it */
  obstacle?: string
}

/** The buttons for answering a device's request, and then what came of it. */
export function DeviceButtons({ userCode, app, titleId, obstacle }: DeviceButtonsProps) {
  const words = useWords('device')
  const fill = useFill()
  const scope = useRef<HTMLDivElement>(null)
  const { focusAfterUpdate } = usePageFeedback()
  const action = useAccountAction(scope)
  const settled = useSettledPress()
  const [answer, setAnswer] = useState<boolean | null>(null)
  const { site } = useAccountContext()
  const titles = { true: fill(words.allowed, { app }), false: words.declined, null: words.question }
  useChangedTitle(titles[`${answer}`], site.appName)
  const press = (name: string, isAllowed: boolean) =>
    settled(() =>
      action.run(
        name,
        () => answerDevice(userCode, isAllowed),
        () => {
          setAnswer(isAllowed)
          focusAfterUpdate(() => scope.current)
        },
      ),
    )
  if (answer !== null)
    return (
      // biome-ignore lint/a11y/useSemanticElements: as in Setting.
      <div
        ref={scope}
        tabIndex={-1}
        role="group"
        aria-labelledby={titleId}
        data-answer={answer ? 'allowed' : 'declined'}
        className="outline-none"
      >
        <Callout tone={answer ? 'success' : 'info'}>{answer ? words.allowedText : words.declinedText}</Callout>
      </div>
    )
  return (
    <div ref={scope}>
      <ActionMessages action={action} />
      {obstacle !== undefined && <Callout className="mb-4">{obstacle}</Callout>}
      {obstacle === undefined && (
        <ActionButton action={action} name="allow" look="secondary" className="w-full" onClick={press('allow', true)}>
          {fill(words.allow, { app })}
        </ActionButton>
      )}
      {/* The primary button is the answer that costs nothing, for people who are not sure. */}
      <ActionButton
        action={action}
        name="decline"
        look="primary"
        className="mt-2 w-full"
        onClick={press('decline', false)}
      >
        {words.decline}
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
