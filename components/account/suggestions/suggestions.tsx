'use client'

import { type ReactNode, useRef } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { ActionMessages } from '@/components/account/forms/action-messages'
import { useAccountAction } from '@/components/account/forms/use-account-action'
import { useAnnounce } from '@/components/account/frame/announcements'
import {
  type Suggestion,
  type SuggestionContext,
  suggestionWords,
} from '@/components/account/suggestions/choose-suggestion'
import { useAddHere } from '@/components/account/suggestions/use-add-here'
import { useSuggestion } from '@/components/account/suggestions/use-suggestion'
import { PasskeyButton } from '@/components/auth/passkey-button'
import { usePasskeySupport } from '@/components/auth/use-passkey-support'
import { Button, ButtonLink } from '@/components/ui/button'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { Filled, useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import { cancelPrompt } from '@/lib/browser/passkeys/prompt'

/** The most useful thing to set up next, with a way to do it or to dismiss it. */
export function Suggestions(context: SuggestionContext) {
  const words = useWords('suggestions')
  const { site } = useAccountContext()
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

/** `children`: what can be done about it */
function SuggestionCard({ suggestion, children }: { suggestion: Suggestion; children: ReactNode }) {
  const words = useWords('suggestions')
  const fill = useFill()
  const { account, site } = useAccountContext()
  const { title, text } = suggestionWords(words, suggestion, account.recoveryCodesLeft, site.passwords)
  return (
    <section
      tabIndex={-1}
      aria-labelledby="suggestion"
      className="mb-5 rounded-card border border-line bg-surface px-card py-5 shadow-raised"
    >
      <h2 id="suggestion" className="text-title font-semibold">
        {fill(title, { count: account.recoveryCodesLeft })}
      </h2>
      <p className="mt-1 max-w-prose text-muted">{text}</p>
      {suggestion === 'sign-in-method' && account.passkeys.length > 0 && <LostDevice />}
      <div className="mt-4 flex flex-wrap gap-2 *:grow sm:*:grow-0">{children}</div>
    </section>
  )
}

/** What is done further down this page. */
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

/** Whoever needed a recovery code may have lost what they sign in with. */
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
