'use client'

import { useRouter } from 'next/navigation'
import { type KeyboardEvent, type ReactNode, startTransition, useEffect, useRef, useState } from 'react'
import { Username } from '@/components/account/account-chip'
import { useAccountContext, useSessionEnd } from '@/components/account/account-provider'
import { ActionMessages, useAccountAction } from '@/components/account/action'
import { Button } from '@/components/ui/button'
import { Messages, PageFeedbackProvider, useAction } from '@/components/ui/feedback/page-feedback'
import { AlertIcon } from '@/components/ui/icons/form-icons'
import { ChevronIcon, SignOutIcon } from '@/components/ui/icons/icons'
import { UnsavedDialog } from '@/components/ui/keep'
import { navigate } from '@/components/ui/navigation'
import { MomentInText } from '@/components/ui/words/day'
import { Filled } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import { stopOwnRecovery } from '@/lib/browser/account'
import { markLeaving, signOut } from '@/lib/browser/sign-in/session-end'

/** The account's name, which opens a menu with the sign-out button. A `details` element opens without JavaScript. */
export function AccountMenu({
  username,
  avatar,
  supportUrl,
  links,
}: {
  username: string
  /** The account's key */
  avatar: ReactNode
  supportUrl: string | null
  links: { href: string; name: string; icon: ReactNode }[]
}) {
  const words = useWords('account')
  const name = <Username name={username} />
  if (useSessionEnd()) return null
  return (
    <Disclosure
      summary={
        <>
          {avatar}
          <span className="sr-only">{`${words.navigation}: `}</span>
          {/* Inline: an ellipsis would replace an inline block whole. In its own direction: the end is what is cut. */}
          <span dir="auto" className="max-w-40 min-w-0 truncate *:inline">
            {name}
          </span>
          <ChevronIcon />
        </>
      }
    >
      <p className="px-2.5 pt-1.5 pb-2 text-small break-words text-muted">
        <Filled
          message={words.signedInAs}
          values={{ username: <span className="font-medium text-ink">{name}</span> }}
        />
      </p>
      {links.map(({ href, name, icon }) => (
        <a key={href} href={href} className="button button-plain w-full justify-start px-2.5 text-start text-ink">
          {icon}
          {name}
        </a>
      ))}
      <SignOut supportUrl={supportUrl} />
    </Disclosure>
  )
}

/**
 * Ends this session. Leaves the page only once that has succeeded; otherwise says below the button why it has not, in messages
 * of its own, because the header is outside the page's.
 */
function SignOut({ supportUrl }: { supportUrl: string | null }) {
  return (
    <PageFeedbackProvider supportUrl={supportUrl}>
      <SignOutButton />
    </PageFeedbackProvider>
  )
}

function SignOutButton() {
  const words = useWords('account')
  const scope = useRef<HTMLDivElement>(null)
  const action = useAction(scope)
  const pending = action.pending !== null
  const [asks, setAsks] = useState(false)
  // Marked, so that the browser asks nothing once the session is over.
  const onDone = () => {
    markLeaving()
    navigate('/signin')
  }
  function run() {
    setAsks(false)
    void action.run('sign-out', signOut, onDone)
  }
  /** Asks what the browser would ask on leaving, while the session still stands. */
  function press() {
    if (window.dispatchEvent(new Event('beforeunload', { cancelable: true }))) run()
    else setAsks(true)
  }
  return (
    <div ref={scope}>
      <Button
        look="plain"
        className="w-full justify-start px-2.5 text-start text-ink"
        pending={pending}
        onClick={press}
      >
        {!pending && <SignOutIcon />}
        {words.signOut}
      </Button>
      <Messages live showsWaiting={false} place={action.place} className="not-empty:mt-1.5" />
      {asks && (
        <UnsavedDialog
          title={words.unsaved}
          text={words.unsavedText}
          back={words.stay}
          leave={words.signOut}
          onBack={() => setAsks(false)}
          onLeave={run}
        />
      )}
    </div>
  )
}

/** Closes on Escape, with the focus back on its summary, and on a press outside. */
function Disclosure({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  const details = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const closeOutside = ({ target }: Event) => {
      if (details.current && !details.current.contains(target as Node)) details.current.open = false
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [])

  function closeOnEscape({ key }: KeyboardEvent) {
    if (key !== 'Escape' || !details.current?.open) return
    details.current.open = false
    details.current.querySelector('summary')?.focus()
  }
  return (
    <details ref={details} onKeyDown={closeOnEscape} className="-me-[min(0.625rem,4.2vw)] min-w-0 grow basis-36">
      <summary className="ms-auto flex min-h-11 w-fit max-w-full cursor-pointer list-none items-center gap-1.5 rounded-control px-2.5 text-small font-medium text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        {summary}
      </summary>
      {/* Positioned by the header, not the summary, which can be anywhere in it once lines wrap. */}
      <div className="absolute end-(--header-inset) top-full z-10 mt-1 w-[min(20rem,100%-2*var(--header-inset))] rounded-card border border-line bg-surface p-1.5 shadow-menu">
        {children}
      </div>
    </details>
  )
}

/** Shows a recovery by mail that waits, on every page of a session, until somebody stops it. */
export function WaitingRecovery() {
  const words = useWords('account')
  const { recovery } = useAccountContext().account
  const router = useRouter()
  const scope = useRef<HTMLDivElement>(null)
  const action = useAccountAction(scope)
  const [isStopped, setStopped] = useState(false)
  function stop() {
    void action.run('stop', stopOwnRecovery, () => {
      setStopped(true)
      startTransition(() => router.refresh())
      return words.recoveryStopped
    })
  }
  if (recovery === null && !isStopped) return null
  return (
    <div ref={scope}>
      <ActionMessages action={action} />
      {!isStopped && recovery && (
        <section
          aria-labelledby="recovery"
          className="mb-12 rounded-card border border-danger-line bg-danger-wash px-card py-5 text-start sm:mb-16"
        >
          <h2 id="recovery" className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-title font-semibold">
            <span className="text-danger">
              <AlertIcon />
            </span>
            <span className="min-w-0 grow basis-32 break-words">{words.recoveryWaits}</span>
          </h2>
          <p className="mt-2 max-w-prose">
            <Filled message={words.recoveryText} values={{ time: <MomentInText at={recovery.at} /> }} />
          </p>
          <Button look="danger" className="mt-4" pending={action.pending === 'stop'} onClick={stop}>
            {words.stopRecovery}
          </Button>
        </section>
      )}
    </div>
  )
}
