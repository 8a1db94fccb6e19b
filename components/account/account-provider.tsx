'use client'

import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { type Reauthentication, ReauthenticationDialog } from '@/components/account/reauthentication-dialog'
import { ButtonLink } from '@/components/ui/button'
import { Announcements } from '@/components/ui/feedback/announcements'
import { Callout } from '@/components/ui/feedback/callout'
import { PageFeedbackProvider, usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { TextLink } from '@/components/ui/text-link'
import { useWords } from '@/components/ui/words/words'
import type { Account } from '@/lib/api/schemas'
import type { Site } from '@/lib/api/site'
import { withNext } from '@/lib/api/urls'
import type { Failure } from '@/lib/browser/failures/outcomes'
import { signalAccount } from '@/lib/browser/passkeys/signals'
import { showAccount } from '@/lib/browser/requests/post'
import {
  hasTypedText,
  joinTabs,
  markLeaving,
  sessionEnd,
  subscribeToSessionEnd,
  watchSession,
} from '@/lib/browser/sign-in/session-end'
import { rememberZone } from '@/lib/browser/state/cookies'

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

/** The credential that the person showed again; null if they cancel. */
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

/** The way in which the page learned that its session has ended; null while it has not. */
export const useSessionEnd = () => useSyncExternalStore(subscribeToSessionEnd, sessionEnd, () => null)

/**
 * Leaves the page when the session has expired, ends in another tab or elsewhere, or gives way to another account's: nothing
 * private may stay on the screen, even if the server cannot be reached.
 */
function useLeaveOnSessionEnd(expiresAt: string): void {
  const router = useRouter()
  useEffect(() => {
    const leave = () => {
      markLeaving()
      const { pathname, search } = window.location
      // An operators' page is "Page not found" to the signed-out. Of other pages the server decides where they lead.
      if (/^\/admin(\/|$)/.test(pathname)) window.location.replace(withNext('/signin', pathname + search))
      else window.location.reload()
    }
    const left = Date.parse(expiresAt) - Date.now()
    // Sets no timer if a clock far ahead says that the session is over already: the page would reload forever.
    const timer = left > 0 ? setTimeout(leave, Math.min(left, longestTimer)) : undefined
    const stops = [joinTabs(leave), watchSession(leave, router.refresh)]
    return () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }, [expiresAt, router])
}

/** Browsers run a timer of more milliseconds at once. */
const longestTimer = 2 ** 31 - 1

/** Shows a way to sign in again above a page whose session has ended elsewhere; the page stays readable but inert. */
function EndedSession({ failure, children }: { failure: Failure | null; children: ReactNode }) {
  return (
    <>
      {failure && <Banner failure={failure} />}
      <div inert={failure !== null} className="inert:opacity-60">
        {children}
      </div>
    </>
  )
}

function Banner({ failure }: { failure: Failure }) {
  const { title } = failure
  const { signIn } = useWords('forms')
  const { typedStays } = useWords('account')
  // What is there now stays, so that the tab can go on with it.
  const [keepsText] = useState(hasTypedText)
  const detail = keepsText ? typedStays : failure.detail
  const path = usePathname()
  const query = useSearchParams().toString()
  const banner = useRef<HTMLDivElement>(null)
  const { show } = usePageFeedback()
  // No `Messages` has this place: screen readers announce the failure, and the banner shows it.
  const announce = useEffectEvent(() => show({ place: 'ended-session', alert: { title, detail } }))
  useEffect(() => {
    announce()
    // Closes dialogs, which stay live inside inert content; one may have opened another.
    for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) dialog.close()
    banner.current?.focus()
  }, [])
  return (
    // Clear of the band, which the profile draws over the space above it.
    <div
      ref={banner}
      tabIndex={-1}
      className="mb-6 scroll-mt-6 outline-none in-[main:has(.full-band)]:mb-14 sm:in-[main:has(.full-band)]:mb-18"
    >
      <Callout>
        {/* The page's own heading may be out of reach below. */}
        <h1 className="font-semibold">{title}</h1>
        <p>{detail}</p>
        <p className="mt-3">
          <ButtonLink href={withNext('/signin', query ? `${path}?${query}` : path)} look="primary" opensTab={keepsText}>
            {signIn}
          </ButtonLink>
        </p>
      </Callout>
    </div>
  )
}

interface SignedInAsProps {
  /** Without it, something else on the page names the account */
  text?: string
  links: { href: string; name: string }[]
}

/** Names the account that the page acts for, with the links that change it. */
export function SignedInAs({ text, links }: SignedInAsProps) {
  if (useSessionEnd()) return null
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-5 text-center text-muted">
      {text !== undefined && <p className="max-w-full">{text}</p>}
      <p className="flex flex-wrap justify-center gap-x-5">
        {links.map(({ href, name }) => (
          <TextLink key={href} href={href}>
            {name}
          </TextLink>
        ))}
      </p>
    </div>
  )
}
