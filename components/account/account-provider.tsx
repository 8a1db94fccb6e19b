'use client'

import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { Announcements } from '@/components/account/frame/announcements'
import { EndedSession } from '@/components/account/frame/ended-session'
import { useLeaveOnSessionEnd, useSessionEnd } from '@/components/account/frame/use-session-end'
import { ReauthenticationDialog } from '@/components/account/reauthentication/reauthentication-dialog'
import type { Reauthentication } from '@/components/account/reauthentication/reauthentication-form'
import { useReauthenticationRequest } from '@/components/account/reauthentication/use-reauthentication-request'
import { useShownAccount } from '@/components/account/use-shown-account'
import { PageFeedbackProvider } from '@/components/ui/feedback/page-feedback'
import { useWords } from '@/components/ui/words/words'
import type { Account } from '@/lib/api/schemas'
import type { Site } from '@/lib/api/site'
import { signalAccount } from '@/lib/browser/passkeys/signals'
import { rememberZone } from '@/lib/browser/state/time-zone'

interface AccountContext {
  account: Account
  site: Site
  reauthenticate(): Promise<Reauthentication | null>
}

const Context = createContext<AccountContext | null>(null)

/** What all parts of a signed-in page share: the account, its messages, and one reauthentication dialog. */
export function AccountProvider({ account, site, children }: { account: Account; site: Site; children: ReactNode }) {
  const words = useWords('account')
  const { reauthenticate, answer, isOpen } = useReauthenticationRequest()
  useLeaveOnSessionEnd(account.session.expiresAt)
  const end = useSessionEnd()
  useShownAccount(account.id)
  useAccountSignal(account)
  useEffect(rememberZone, [])
  if (end === 'leaving') return <p className="text-muted">{words.signedOut}</p>
  return (
    <Context value={{ account, site, reauthenticate }}>
      <PageFeedbackProvider supportUrl={site.supportUrl}>
        <Announcements>
          <EndedSession failure={end}>{children}</EndedSession>
          {isOpen && <ReauthenticationDialog account={account} site={site} onAnswer={answer} />}
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

/**
 * Signals the account to the password manager whenever the page's changes, also after an action on this page. The signal
 * fetches it itself: the page's may be stale.
 */
function useAccountSignal({ passkeys, username }: Account) {
  // Signals carry no names of passkeys: after renaming one, the password manager gets the username again.
  const changing = JSON.stringify([username, ...passkeys.map(({ id, name }) => [id, name])])
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what changes.
  useEffect(() => void signalAccount(), [changing])
}
