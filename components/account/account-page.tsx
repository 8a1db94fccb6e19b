'use client'

import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { ReauthenticationDialog } from '@/components/account/reauthentication-dialog'
import type { Reauthentication } from '@/components/account/reauthentication-form'
import type { Account } from '@/lib/api/schemas'
import { signalCurrentPasskeys } from '@/lib/browser/account-action'
import type { Site } from '@/lib/browser/site'

interface AccountPageContext {
  account: Account
  site: Site
  /** Has the person sign in again on this page; null if they would rather not. */
  reauthenticate(): Promise<Reauthentication | null>
  /** Whose action was the latest on this page: what came of earlier ones is no news anymore. */
  latest: string | null
  begin(actor: string): void
  /** What the latest action did, where its own place on the page has gone with it. */
  told: string | null
  tell(sentence: string): void
}

const Context = createContext<AccountPageContext | null>(null)

/** What all parts of a page for a signed-in person share: the account, and one dialog for signing in again. */
export function AccountPage({ account, site, children }: { account: Account; site: Site; children: ReactNode }) {
  const [told, tell] = useState<string | null>(null)
  const [latest, setLatest] = useState<string | null>(null)
  const [asking, setAsking] = useState<((answer: Reauthentication | null) => void) | null>(null)
  useAcceptedSignal(account)

  // A question that is asked anew leaves none behind it waiting for ever.
  const waiting = useRef<((answer: Reauthentication | null) => void) | null>(null)
  function reauthenticate() {
    waiting.current?.(null)
    return new Promise<Reauthentication | null>((resolve) => {
      waiting.current = resolve
      setAsking(() => resolve)
    })
  }
  function begin(actor: string) {
    setLatest(actor)
    tell(null)
  }
  function answer(reauthentication: Reauthentication | null) {
    asking?.(reauthentication)
    if (waiting.current === asking) waiting.current = null
    setAsking((now: typeof asking) => (now === asking ? null : now))
  }
  return (
    <Context value={{ account, site, reauthenticate, latest, begin, told, tell }}>
      {children}
      {asking && <ReauthenticationDialog account={account} site={site} onAnswer={answer} />}
    </Context>
  )
}

export function useAccountPage(): AccountPageContext {
  const context = useContext(Context)
  if (!context) throw new Error('This part belongs inside of AccountPage')
  return context
}

/** Tells the password manager which passkeys there are, by a list of now: the page's own may be older than a passkey made in another tab. */
function useAcceptedSignal({ passkeys }: Account) {
  const ids = passkeys.map(({ id }) => id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids say whether the list is another.
  useEffect(() => void signalCurrentPasskeys(), [ids])
}
