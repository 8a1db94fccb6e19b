'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useRef } from 'react'
import { useAccountPage } from '@/components/account/account-page'
import { ActionMessages } from '@/components/account/action-messages'
import { useAccountAction } from '@/components/account/use-account-action'
import { Button } from '@/components/ui/button'
import { navigate } from '@/components/ui/navigation'
import { usePageFeedback } from '@/components/ui/page-feedback'
import { useFill, useWords } from '@/components/ui/words'
import type { Outcome } from '@/lib/browser/errors'
import { signOutEverywhere, signOutEverywhereElse, signOutSession } from '@/lib/browser/sign-out'

interface Row {
  id: string
  /** The browser's name. */
  name: string
  facts: ReactNode
}

/** How many are shown at first. */
const few = 5

/** The account's sessions, this one first, each with its way out. */
export function SessionList({ rows }: { rows: Row[] }) {
  const { signOut: signOutLabel } = useWords('account')
  const words = useWords('sessions')
  const fill = useFill()
  const { account } = useAccountPage()
  const { focusAfterUpdate } = usePageFeedback()
  const router = useRouter()
  const list = useRef<HTMLDivElement>(null)
  const done = useRef('')
  const action = useAccountAction(list, () => {
    if (!done.current) return navigate('/signin')
    router.refresh()
    // The row that has the focus goes away.
    focusAfterUpdate(() => list.current)
    return done.current
  })

  /** Without a message, the page is left. */
  function run(name: string, operation: () => Promise<Outcome>, message = '') {
    done.current = message
    action.run(name, operation)
  }
  const buttonFor = (
    name: string,
    label: string,
    look: 'secondary' | 'quiet',
    onClick: () => void,
    fullLabel?: string,
  ) => (
    <Button
      look={look}
      aria-label={fullLabel}
      className={look === 'quiet' ? '-my-1.5 -me-4.25 shrink-0' : 'shrink-0'}
      pending={action.pending === name}
      disabled={action.pending !== null}
      onClick={onClick}
    >
      {label}
    </Button>
  )
  const items = rows.map((row, index) => (
    <SessionItem key={row.id} row={row} badge={index === 0 ? words.thisSession : undefined}>
      {/* The way out of this session is in the header. */}
      {index > 0 &&
        buttonFor(
          row.id,
          signOutLabel,
          'quiet',
          () => run(row.id, () => signOutSession(account, row), fill(words.browserSignedOut, { browser: row.name })),
          // Browsers are told apart by name, for screen readers too.
          fill(words.signOutBrowser, { browser: row.name }),
        )}
    </SessionItem>
  ))
  return (
    <div ref={list} tabIndex={-1} className="rounded-card px-5 pt-1 sm:px-6">
      <div className="has-data-tone:pt-4">
        <ActionMessages action={action} />
      </div>
      <ul className="divide-y divide-line">{items.slice(0, few)}</ul>
      {items.length > few && (
        <details className="group border-t border-line">
          <summary className="flex min-h-11 cursor-pointer items-center rounded-control py-3 font-medium text-accent hover:text-accent-strong">
            <span className="group-open:hidden">{fill(words.showAll, { count: items.length })}</span>
            <span className="hidden group-open:inline">{words.showFewer}</span>
          </summary>
          <ul className="divide-y divide-line border-t border-line">{items.slice(few)}</ul>
        </details>
      )}
      <div className="-mx-5 flex flex-col gap-2.5 border-t border-line px-5 py-4 sm:-mx-6 sm:flex-row sm:px-6">
        {buttonFor('elsewhere', words.signOutElsewhere, 'secondary', () =>
          run('elsewhere', () => signOutEverywhereElse(account), words.signedOutElsewhere),
        )}
        {buttonFor('everywhere', words.signOutEverywhere, 'secondary', () =>
          run('everywhere', () => signOutEverywhere(account)),
        )}
      </div>
    </div>
  )
}

function SessionItem({
  row: { name, facts },
  badge,
  children,
}: {
  row: Row
  badge: string | undefined
  children: ReactNode
}) {
  return (
    <li className="py-4">
      <div className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <h3 className="font-medium break-words">{name}</h3>
          {badge && <p className="text-small font-medium text-accent">{badge}</p>}
        </div>
        {children}
      </div>
      <div className="mt-1 text-small text-muted">{facts}</div>
    </li>
  )
}
