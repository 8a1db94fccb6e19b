'use client'

import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { Announcements } from '@/components/ui/feedback/announcements'
import { PageFeedbackProvider } from '@/components/ui/feedback/page-feedback'
import { useWords } from '@/components/ui/words/words'
import type { Account } from '@/lib/api/schemas'
import type { Site } from '@/lib/api/site'
import { signalAccount } from '@/lib/browser/passkeys/signals'
import { showAccount } from '@/lib/browser/requests/post'
import { rememberZone } from '@/lib/browser/state/cookies'
import { type Reauthentication, ReauthenticationDialog } from './reauthentication-dialog'
import { EndedSession, useLeaveOnSessionEnd, useSessionEnd } from './session-end'

interface AccountContext {
  account: Account
  site: Site
  reauthenticate(): Promise<Reauthentication | null>
}

const Context = createContext<AccountContext | null>(null)

/** Provides the account, its messages and one reauthentication dialog to all parts of a signed-in page. */
export function AccountProvider({
  account,
  site,
  byPasskeyOnly = false,
  children,
}: {
  account: Account
  site: Site
  /** True where only a passkey confirms: a password opens the account, never the administration */
  byPasskeyOnly?: boolean
  children: ReactNode
}) {
  const words = useWords('account')
  const { reauthenticate, answer, isOpen } = useReauthenticationRequest()
  useLeaveOnSessionEnd(account.session.expiresAt)
  const end = useSessionEnd()
  // Every request of the page names the account that the page shows.
  useEffect(() => showAccount(account.id), [account.id])
  useAccountSignal(account)
  useEffect(rememberZone, [])
  if (end === 'leaving') return <p className="text-muted">{words.signedOut}</p>
  return (
    <Context value={{ account, site, reauthenticate }}>
      <PageFeedbackProvider supportUrl={site.supportUrl}>
        <Announcements>
          <EndedSession failure={end}>{children}</EndedSession>
          {isOpen && (
            <ReauthenticationDialog account={account} site={site} byPasskeyOnly={byPasskeyOnly} onAnswer={answer} />
          )}
        </Announcements>
      </PageFeedbackProvider>
    </Context>
  )
}

export function useAccountContext(): AccountContext {
  const context = useContext(Context)
  if (!context) throw new Error('useAccountContext needs an AccountProvider')
  return context
}

/** Null if the person cancels. */
type Answer = Reauthentication | null
type Settle = (answer: Answer) => void

/** The page's one request to sign in again, which its dialog answers. */
function useReauthenticationRequest() {
  // State, so that a dialog answers its own request alone: a response can arrive after another dialog has opened.
  const [open, setOpen] = useState<Settle | null>(null)
  // A reference beside it, which two requests of one rendering share: the second cancels the first, which would otherwise wait
  // forever.
  const waiting = useRef<Settle | null>(null)
  function reauthenticate(): Promise<Answer> {
    waiting.current?.(null)
    return new Promise((settle) => {
      waiting.current = settle
      setOpen(() => settle)
    })
  }
  function answer(given: Answer) {
    open?.(given)
    if (waiting.current === open) waiting.current = null
    setOpen((now: typeof open) => (now === open ? null : now))
  }
  return { reauthenticate, answer, isOpen: open !== null }
}

/**
 * Signals the account to the password manager whenever the page's changes, also after an action on this page. The signal
 * fetches it itself: the page's may be stale.
 */
function useAccountSignal({ passkeys, username, displayName }: Account) {
  // Signals carry no names of passkeys: after renaming one, the password manager gets the names again.
  const changing = JSON.stringify([username, displayName, ...passkeys.map(({ id, name }) => [id, name])])
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what changes.
  useEffect(() => void signalAccount(), [changing])
}
