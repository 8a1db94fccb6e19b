'use client'

import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { useAccountPage } from '@/components/account/account-page'
import { ActionMessages } from '@/components/account/action-messages'
import {
  chooseSuggestion,
  type Suggestion,
  type SuggestionContext,
  suggestionWords,
} from '@/components/account/choose-suggestion'
import { useAccountAction } from '@/components/account/use-account-action'
import { PasskeyButton } from '@/components/auth/passkey-button'
import { usePasskeySupport } from '@/components/auth/use-passkey-support'
import { Button, ButtonLink } from '@/components/ui/button'
import { Filled, useFill } from '@/components/ui/filled'
import { useClientAnswer, useClientValue } from '@/components/ui/use-client-value'
import { useWords } from '@/components/ui/words'
import { capability } from '@/lib/browser/capabilities'
import { dismiss, isDismissed } from '@/lib/browser/dismissals'
import { hasFailed } from '@/lib/browser/errors'
import { crossDevicePasskey, forgetCrossDevice } from '@/lib/browser/passkeys/cross-device'
import { addPasskey } from '@/lib/browser/passkeys/manage'

/** The most useful thing to set up next, with a way to do it or to dismiss it. */
export function Suggestions(context: SuggestionContext) {
  const words = useWords('suggestions')
  const profile = useWords('profile')
  const fill = useFill()
  const { account, site } = useAccountPage()
  const router = useRouter()
  const scope = useRef<HTMLDivElement>(null)
  const [, renew] = useState(0)
  const action = useAccountAction(scope, () => {
    forgetCrossDevice()
    router.refresh()
    return words.passkeyAdded
  })
  const unsupportedReason = usePasskeySupport(site, action)
  const canKeepHere = useDeviceKeepsPasskeys() && !unsupportedReason
  const choose = (crossDevice: string | null, isDismissed: (what: Suggestion) => boolean) =>
    chooseSuggestion(account, { ...context, canKeepHere, crossDevice, isDismissed })
  const suggestion = useClientValue(
    () => choose(crossDevicePasskey(), (what) => isDismissed(account.id, what)),
    () => choose(null, () => false),
  )
  const busy = action.pending !== null

  async function addHere() {
    const outcome = await addPasskey(account, { promotion: canKeepHere })
    // It is not the first passkey of a device that its owner has used before.
    if (suggestion && hasFailed(outcome) && outcome.code === 'InvalidStateError') dismiss(account.id, suggestion)
    return outcome
  }
  function notNow() {
    if (!suggestion) return
    dismiss(account.id, suggestion)
    renew((times) => times + 1)
  }
  const shown = suggestion && suggestionWords(words, suggestion, account.recoveryCodesLeft, site.passwords)
  return (
    <div ref={scope}>
      <ActionMessages action={action} />
      {shown && (
        <section
          aria-labelledby="suggestion"
          className="mb-5 rounded-card border border-transparent bg-accent-wash px-card py-5"
        >
          <h2 id="suggestion" className="text-title font-semibold">
            {fill(shown.title, { count: account.recoveryCodesLeft })}
          </h2>
          <p className="mt-1 max-w-prose text-muted">{shown.text}</p>
          {suggestion === 'sign-in-method' && account.passkeys.length > 0 && <LostDevice />}
          <div className="mt-4 flex flex-wrap gap-2 *:grow sm:*:grow-0">
            {suggestion === 'codes' ? (
              <ButtonLink href="#recovery-codes" look="primary">
                {words.createCodes}
              </ButtonLink>
            ) : (
              !unsupportedReason && (
                <PasskeyButton pending={busy} onClick={() => action.run('promotion', addHere)}>
                  {words.createPasskey}
                </PasskeyButton>
              )
            )}
            {suggestion === 'sign-in-method' && site.passwords && (
              <ButtonLink href="#password" look="quiet">
                {account.hasPassword ? profile.changePassword : profile.setPassword}
              </ButtonLink>
            )}
            {suggestion !== 'sign-in-method' && (
              <Button look="quiet" disabled={busy} onClick={notNow}>
                {words.notNow}
              </Button>
            )}
          </div>
        </section>
      )}
    </div>
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

/** Whether this device itself can store a passkey; true until the browser has answered. */
const useDeviceKeepsPasskeys = () => useClientAnswer(deviceKeepsPasskeys, true)

const deviceKeepsPasskeys = async () => (await capability('userVerifyingPlatformAuthenticator')) !== 'unsupported'
