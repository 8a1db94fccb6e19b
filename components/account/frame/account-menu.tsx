'use client'

import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { SignOut } from '@/components/account/frame/sign-out'
import { useSessionEnd } from '@/components/account/frame/use-session-end'
import { Username } from '@/components/account/username'
import { ChevronIcon, PersonIcon } from '@/components/ui/icons/icons'
import { Filled } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'

/** The account's name, which opens a menu with the sign-out button. A `details` element opens without JavaScript. */
export function AccountMenu({ username, supportUrl }: { username: string; supportUrl: string | null }) {
  const words = useWords('account')
  const name = <Username name={username} />
  if (useSessionEnd()) return null
  return (
    <Disclosure
      summary={
        <>
          <PersonIcon />
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
      <SignOut supportUrl={supportUrl} />
    </Disclosure>
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
