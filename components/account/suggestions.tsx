'use client'

import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { PasskeyButton } from '@/components/auth/passkey-button'
import { usePasskeySupport } from '@/components/auth/use-passkey-support'
import { Button, ButtonLink } from '@/components/ui/button'
import { useAnnounce } from '@/components/ui/feedback/announcements'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { AlertIcon, CheckIcon } from '@/components/ui/icons/form-icons'
import { useClientPromise, useClientValue } from '@/components/ui/use-client-value'
import { Filled, useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import { isFailure } from '@/lib/browser/failures/outcomes'
import { deviceStoresPasskeys } from '@/lib/browser/passkeys/capabilities'
import { addPasskey } from '@/lib/browser/passkeys/manage'
import { cancelPrompt } from '@/lib/browser/passkeys/prompt'
import { crossDevicePasskey, forgetCrossDevice } from '@/lib/browser/passkeys/support'
import { dismiss, isDismissed } from '@/lib/browser/state/storage'
import { useAccountContext } from './account-provider'
import {
  chooseSuggestion,
  isMissing,
  needsCodes,
  type Suggestion,
  type SuggestionContext,
  suggestionWords,
} from './choose-suggestion'
import { ActionMessages } from './forms/action-messages'
import { type AccountAction, useAccountAction } from './forms/use-account-action'
import { useRefresh } from './forms/use-refresh'

/** The most useful thing to set up next, with a way to do it or to dismiss it. */
export function Suggestions(context: SuggestionContext) {
  const words = useWords('suggestions')
  const { account, site } = useAccountContext()
  const announce = useAnnounce()
  const { focusAfterUpdate } = usePageFeedback()
  const scope = useRef<HTMLDivElement>(null)
  const action = useAccountAction(scope)
  const unsupportedReason = usePasskeySupport(site)
  const { suggestion, canKeepHere, dismissIt } = useSuggestion(context, !unsupportedReason)
  const addHere = useAddHere(scope, action, canKeepHere)

  function leaveCard() {
    dismissIt()
    focusAfterUpdate(() => scope.current?.querySelector('section') ?? scope.current)
  }
  function dismissCard() {
    action.dropFailure()
    cancelPrompt()
    leaveCard()
    announce(words.dismissed)
  }
  return (
    <div ref={scope} tabIndex={-1} className="outline-none">
      <ActionMessages action={action} />
      {!suggestion && <Status isInShape={!context.needsSignInMethod && !needsCodes(account)} />}
      {suggestion && (
        <SuggestionCard suggestion={suggestion}>
          {suggestion !== 'codes' && !unsupportedReason && (
            <PasskeyButton pending={action.pending !== null} onClick={() => addHere(leaveCard)}>
              {words.createPasskey}
            </PasskeyButton>
          )}
          <OtherSteps suggestion={suggestion} />
          {suggestion !== 'sign-in-method' && (
            <Button look="quiet" disabled={action.busy} onClick={dismissCard}>
              {words.notNow}
            </Button>
          )}
        </SuggestionCard>
      )}
    </div>
  )
}

/** What the account is like while nothing is suggested, with the way to look at all of it. */
function Status({ isInShape }: { isInShape: boolean }) {
  const words = useWords('suggestions')
  const { checkUp } = useWords('profile')
  return (
    <section
      tabIndex={-1}
      aria-labelledby="status"
      className="flex flex-wrap items-center gap-x-3 rounded-card border border-line bg-surface px-card py-2.5 shadow-raised outline-none"
    >
      <span className={isInShape ? 'text-success' : 'text-muted'}>{isInShape ? <CheckIcon /> : <AlertIcon />}</span>
      <div className="min-w-0 grow basis-48">
        <h2 id="status" className="font-medium">
          {isInShape ? words.goodShape : words.oneThing}
        </h2>
        {!isInShape && (
          <a href="#recovery-codes" className="text-small text-accent underline">
            {words.codes}
          </a>
        )}
      </div>
      <span className="outdent inline-flex">
        <ButtonLink href="/secure" look="quiet">
          {checkUp}
        </ButtonLink>
      </span>
    </section>
  )
}

/** Chooses a suggestion for this device; null for none. @param canUsePasskeys true if passkeys work on this page */
function useSuggestion(context: SuggestionContext, canUsePasskeys: boolean) {
  const { account } = useAccountContext()
  const [, renew] = useState(0)
  const canKeepHere = useClientPromise(deviceStoresPasskeys, true) && canUsePasskeys
  const choose = (crossDevice: string | null, isGone: (what: Suggestion) => boolean) =>
    chooseSuggestion(account, { ...context, canKeepHere, crossDevice, isDismissed: isGone })
  const suggestion = useClientValue(
    () => choose(crossDevicePasskey(), (what) => isDismissed(account.id, what)),
    () => choose(null, () => false),
  )
  function dismissIt() {
    if (suggestion) dismiss(account.id, suggestion)
    renew((times) => times + 1)
  }
  return { suggestion, canKeepHere, dismissIt }
}

/** Adds a passkey. @param onPresent runs if this device already has one of the account, so that there is nothing to suggest */
function useAddHere(scope: RefObject<HTMLElement | null>, action: AccountAction, promotion: boolean) {
  const { passkeyAdded } = useWords('suggestions')
  const refresh = useRefresh(scope)
  return async (onPresent: () => void) => {
    const onDone = () => {
      forgetCrossDevice()
      refresh()
      return passkeyAdded
    }
    const outcome = await action.run('promotion', () => addPasskey({ promotion }), onDone)
    if (outcome && isFailure(outcome) && outcome.isHarmless) onPresent()
  }
}

/** @param children the things that a person can do about it */
function SuggestionCard({ suggestion, children }: { suggestion: Suggestion; children: ReactNode }) {
  const words = useWords('suggestions')
  const fill = useFill()
  const { account, site } = useAccountContext()
  const { title, text } = suggestionWords(words, suggestion, account.recoveryCodesLeft, site.passwords)
  return (
    <section
      tabIndex={-1}
      aria-labelledby="suggestion"
      className="rounded-card border border-line bg-surface px-card py-4 shadow-raised"
    >
      {isMissing(suggestion) && <p className="text-small font-medium text-accent">{words.oneThing}</p>}
      <h2 id="suggestion" className="text-title font-semibold">
        {fill(title, { count: account.recoveryCodesLeft })}
      </h2>
      <p className="mt-1 max-w-prose text-muted">{text}</p>
      {suggestion === 'sign-in-method' && account.passkeys.length > 0 && <LostDevice />}
      <div className="mt-3 flex flex-wrap gap-1 *:px-3 *:first:grow sm:gap-2 sm:*:px-4 sm:*:first:grow-0">
        {children}
      </div>
    </section>
  )
}

/** Links to the settings further down this page. */
function OtherSteps({ suggestion }: { suggestion: Suggestion }) {
  const words = useWords('suggestions')
  const profile = useWords('profile')
  const { account, site } = useAccountContext()
  if (suggestion === 'codes')
    return (
      <ButtonLink href="#recovery-codes" look="primary">
        {words.createCodes}
      </ButtonLink>
    )
  return (
    suggestion === 'sign-in-method' &&
    site.passwords && (
      <ButtonLink href="#password" look="quiet">
        {account.hasPassword ? profile.changePassword : profile.setPassword}
      </ButtonLink>
    )
  )
}

/** Advises a person who needed a recovery code, and may have lost the device with their passkey. */
function LostDevice() {
  const words = useWords('suggestions')
  const removePasskey = (
    <a href="/passkeys" className="font-medium text-ink underline">
      {words.removePasskey}
    </a>
  )
  return (
    <p className="mt-2 max-w-prose text-muted">
      <Filled message={words.lostDevice} values={{ removePasskey }} />
    </p>
  )
}
