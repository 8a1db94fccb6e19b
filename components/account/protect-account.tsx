'use client'

import { useRef } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { useAccountAction, useRefresh } from '@/components/account/action'
import { CodeMessages, RecoveryCodeSheet, useCreateCodes } from '@/components/account/recovery-codes'
import { PasskeyButton, usePasskeySupport } from '@/components/auth/passkey-button'
import { Button } from '@/components/ui/button'
import { useAnnounce } from '@/components/ui/feedback/announcements'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { useChangedTitle } from '@/components/ui/page/title-and-url'
import { useWords } from '@/components/ui/words/words'
import { addPasskey } from '@/lib/browser/passkeys/manage'

/** Offers a new account two ways to prevent a lockout, one press each: recovery codes and another passkey. */
export function ProtectAccount() {
  const words = useWords('welcome')
  const { site } = useAccountContext()
  const protection = useProtection()
  const { scope, sheet, action, codes, finish } = protection
  useChangedTitle(codes ? words.codes : words.title, site.appName)
  const unsupportedReason = usePasskeySupport(site)
  const needs = useNeeds(codes !== null, !unsupportedReason)
  const isDone = !needs.codes && !needs.passkey
  // Codes stand alone: the page hides everything above them, and has their title.
  const asks = !isDone && codes === null
  const open = asks ? 'mt-5 border-t border-line pt-5' : ''
  const edge = isDone ? 'mt-6' : open
  // The same element in both cases keeps the focus, and the message of the last step, once nothing is left to do.
  return (
    <section
      ref={scope}
      tabIndex={-1}
      className={`outline-none ${edge}`}
      aria-labelledby={asks ? 'protect' : undefined}
    >
      <CodeMessages action={action} codes={codes} />
      {asks && (
        <h2 id="protect" className="font-semibold">
          {needs.codes ? words.protect : words.addPasskey}
        </h2>
      )}
      {codes ? (
        <RecoveryCodeSheet ref={sheet} codes={codes} onDone={finish} />
      ) : (
        <ProtectionButtons protection={protection} needs={needs} />
      )}
    </section>
  )
}

interface Needs {
  codes: boolean
  passkey: boolean
}

/** Finds what the account lacks. Offers a second passkey beside the codes: either will do. */
function useNeeds(showsCodes: boolean, canUsePasskeys: boolean): Needs {
  const { recoveryCodesLeft, passkeys } = useAccountContext().account
  const codes = showsCodes || recoveryCodesLeft === 0
  return { codes, passkey: canUsePasskeys && passkeys.length < (codes ? 2 : 1) }
}

function ProtectionButtons({ protection, needs }: { protection: ReturnType<typeof useProtection>; needs: Needs }) {
  const words = useWords('welcome')
  const { account } = useAccountContext()
  const { action, createCodes, addOne } = protection
  const { pending, busy } = action
  const isFirst = account.passkeys.length === 0
  return (
    <div className="grid gap-2">
      {needs.codes && (
        <>
          <p className="mt-1 mb-2 text-muted">{words.codesText}</p>
          <Button pending={pending === 'codes'} disabled={busy} onClick={createCodes}>
            {words.createCodes}
          </Button>
        </>
      )}
      {needs.passkey && (
        <>
          {isFirst && (
            <p className={`text-muted ${needs.codes ? 'mt-3 text-small' : 'mt-1 mb-2'}`}>{words.addPasskeyText}</p>
          )}
          <PasskeyButton
            look="secondary"
            className="w-full"
            pending={pending === 'passkey'}
            disabled={busy}
            onClick={addOne}
          >
            {isFirst ? words.addPasskey : words.addSecond}
          </PasskeyButton>
        </>
      )}
    </div>
  )
}

function useProtection() {
  const words = useWords('welcome')
  const { show, focusAfterUpdate } = usePageFeedback()
  const announce = useAnnounce()
  const scope = useRef<HTMLDivElement>(null)
  const refresh = useRefresh(scope)
  const action = useAccountAction(scope)
  const { codes, sheet, createCodes, dropCodes } = useCreateCodes(action)
  function addOne() {
    const onDone = () => {
      refresh()
      return words.passkeyAdded
    }
    action.run('passkey', () => addPasskey(), onDone)
  }
  function finish() {
    dropCodes()
    show(null)
    announce(words.codesSaved)
    focusAfterUpdate(() => scope.current)
  }
  return { scope, sheet, action, codes, createCodes, addOne, finish }
}
