'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useRef } from 'react'
import { useAccountPage } from '@/components/account/account-page'
import { ActionMessages } from '@/components/account/action-messages'
import { useAccountAction } from '@/components/account/use-account-action'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Row as CardRow } from '@/components/ui/card'
import { useFill } from '@/components/ui/filled'
import { ComputerIcon, DeviceIcon } from '@/components/ui/icons'
import { navigate } from '@/components/ui/navigation'
import { usePageFeedback } from '@/components/ui/page-feedback'
import { useWords } from '@/components/ui/words'
import type { Outcome } from '@/lib/browser/errors'
import { signOutEverywhere, signOutEverywhereElse, signOutSession } from '@/lib/browser/sign-out'

interface Row {
  id: string
  browser: string
  facts: ReactNode
}

/** How many are shown at first. */
const few = 4

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
          () => run(row.id, () => signOutSession(account, row), fill(words.browserSignedOut, { browser: row.browser })),
          // Browsers are told apart by name, for screen readers too.
          fill(words.signOutBrowser, { browser: row.browser }),
        )}
    </SessionItem>
  ))
  return (
    <div ref={list} tabIndex={-1} className="rounded-card pt-1">
      <div className="px-card has-data-tone:pt-4">
        <ActionMessages action={action} />
      </div>
      <ul className="divide-y divide-line px-card">{items.slice(0, few)}</ul>
      {items.length > few && (
        <details className="group border-t border-line px-card">
          <summary className="flex min-h-11 cursor-pointer items-center rounded-control py-3 font-medium text-accent hover:text-accent-strong">
            <span className="group-open:hidden">{fill(words.showAll, { count: items.length })}</span>
            <span className="hidden group-open:inline">{words.showFewer}</span>
          </summary>
          <ul className="divide-y divide-line border-t border-line">{items.slice(few)}</ul>
        </details>
      )}
      <div className="flex flex-wrap gap-2.5 border-t border-line px-card py-4 *:grow sm:*:grow-0">
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
  row: { browser, facts },
  badge,
  children,
}: {
  row: Row
  badge: string | undefined
  children: ReactNode
}) {
  const Icon = /Android|iOS|iPadOS/.test(browser) ? DeviceIcon : ComputerIcon
  return (
    <li className="flex gap-3.5 py-3.5">
      <span className="mt-0.5 text-muted">
        <Icon />
      </span>
      <div className="min-w-0 grow">
        <CardRow controls={children}>
          <h3 className="font-medium">
            {browser}
            {badge && <Badge tone="accent">{badge}</Badge>}
          </h3>
          <p className="text-small text-muted">{facts}</p>
        </CardRow>
      </div>
    </li>
  )
}
