'use client'

import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { type AccountAction, ActionMessages, useAccountAction, useRefresh } from '@/components/account/action'
import { PasskeyButton, usePasskeySupport } from '@/components/auth/passkey-button'
import { Button, ButtonLink } from '@/components/ui/button'
import { useAnnounce } from '@/components/ui/feedback/announcements'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { AlertIcon, CheckIcon } from '@/components/ui/icons/form-icons'
import { ForwardIcon } from '@/components/ui/icons/icons'
import { useClientPromise, useClientValue } from '@/components/ui/use-client-value'
import { Filled, useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import type { Account } from '@/lib/api/schemas'
import { isSecurityKey } from '@/lib/api/transports'
import { isFailure } from '@/lib/browser/failures/outcomes'
import { deviceStoresPasskeys } from '@/lib/browser/passkeys/capabilities'
import { addPasskey } from '@/lib/browser/passkeys/manage'
import { cancelPrompt } from '@/lib/browser/passkeys/prompt'
import { crossDevicePasskey, dismiss, forgetCrossDevice, isDismissed } from '@/lib/browser/state/storage'
import type { Words } from '@/lib/messages/en'
import type { Message } from '@/lib/messages/format/text'

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

/** What the account is like while nothing is suggested, with the way to look at all of it or to what is left. */
function Status({ isInShape }: { isInShape: boolean }) {
  const words = useWords('suggestions')
  const { checkUp } = useWords('profile')
  return (
    <section
      tabIndex={-1}
      aria-labelledby="status"
      // Codes on the page are not saved yet.
      className="relative flex items-center gap-x-3 rounded-card border border-line bg-surface px-card py-2.5 shadow-raised outline-none in-[main:has([data-sheet])]:hidden"
    >
      <span className={isInShape ? 'text-success' : 'text-muted'}>{isInShape ? <CheckIcon /> : <AlertIcon />}</span>
      <div className="min-w-0 grow break-words">
        <h2 id="status" className="font-medium">
          {isInShape ? words.goodShape : words.oneThing}
        </h2>
        <p className="text-small text-muted">
          {/* Covers the card, as a row's link covers the row. */}
          <a
            href={isInShape ? '/secure' : '#recovery-codes'}
            className="after:absolute after:inset-1 after:rounded-control hover:text-ink"
          >
            {isInShape ? checkUp : words.codes}
          </a>
        </p>
      </div>
      <span className="text-muted">
        <ForwardIcon />
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
      <div className="mt-3 flex flex-wrap gap-1 *:grow sm:gap-2 sm:*:grow-0">{children}</div>
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

type Suggestion = 'sign-in-method' | 'promotion' | 'cross-device' | 'codes'

interface SuggestionContext {
  /** Signed in with a recovery code, and no passkey or password set up since. */
  needsSignInMethod: boolean
  /** Signed in with a password, just now, and has added no passkey since: the device may be new. */
  signedInByPasswordRecently: boolean
}

interface SuggestionInput extends SuggestionContext {
  /** True if this device itself can store a passkey for this page */
  canKeepHere: boolean
  /** The passkey of another device that signed in here. */
  crossDevice: string | null
  isDismissed: (what: Suggestion) => boolean
}

/** Suggests new codes once at most this many are left. */
const fewCodes = 3

function chooseSuggestion(account: Account, input: SuggestionInput): Suggestion | null {
  const { needsSignInMethod, signedInByPasswordRecently, canKeepHere, crossDevice, isDismissed } = input
  const fits: Record<Suggestion, boolean> = {
    'sign-in-method': needsSignInMethod,
    promotion: canKeepHere && signedInByPasswordRecently,
    'cross-device': canKeepHere && isOnAnotherDevice(account, crossDevice),
    codes: needsCodes(account),
  }
  return order.find((what) => fits[what] && !isDismissed(what)) ?? null
}

const needsCodes = ({ recoveryCodesLeft }: Account) => recoveryCodesLeft <= fewCodes

/** Whether the account lacks it, rather than this device. */
const isMissing = (suggestion: Suggestion) => suggestion === 'codes' || suggestion === 'sign-in-method'

const order: Suggestion[] = ['sign-in-method', 'promotion', 'cross-device', 'codes']

/** Browsers report security keys as cross-platform too, but people carry those with them. */
function isOnAnotherDevice({ passkeys }: Account, id: string | null): boolean {
  const passkey = passkeys.find((one) => one.id === id)
  return passkey !== undefined && !isSecurityKey(passkey.transports)
}

/** @param passwords whether accounts may have one */
function suggestionWords(
  words: Words['suggestions'],
  suggestion: Suggestion,
  codesLeft: number,
  passwords: boolean,
): { title: Message; text: string } {
  if (suggestion === 'codes' && codesLeft > 0) return { title: words.fewCodes, text: words.fewCodesText }
  if (suggestion === 'codes') return { title: words.codes, text: words.codesText }
  if (suggestion === 'promotion') return { title: words.promotion, text: words.promotionText }
  if (suggestion === 'cross-device') return { title: words.crossDevice, text: words.crossDeviceText }
  return passwords
    ? { title: words.newWay, text: words.newWayText }
    : { title: words.newPasskey, text: words.newPasskeyText }
}
