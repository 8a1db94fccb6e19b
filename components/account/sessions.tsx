'use client'

import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card, Row } from '@/components/ui/card'
import { ActionButton } from '@/components/ui/feedback/action-button'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { ComputerIcon, DeviceIcon } from '@/components/ui/icons/icons'
import { navigate } from '@/components/ui/navigation'
import { Moment } from '@/components/ui/words/day'
import { useFill } from '@/components/ui/words/filled'
import { useGivenClock, useLocale, useWords } from '@/components/ui/words/words'
import { newestFirst } from '@/lib/activity/event-groups'
import type { Account, LiveSession, Method } from '@/lib/api/schemas'
import { signOutEverywhere, signOutEverywhereElse, signOutSession } from '@/lib/browser/sign-in/sign-out'
import { dateOf } from '@/lib/messages/format/dates'
import { browserLabel } from '@/lib/messages/format/labels'
import { ActionMessages } from './forms/action-messages'
import { useAccountAction } from './forms/use-account-action'
import { useRefresh } from './forms/use-refresh'

interface Props {
  own: Account['session']
  /** The account's live sessions. Only a record: `own` may be missing from it. */
  sessions: LiveSession[]
}

/** Lists the browsers in which the account is signed in. */
export function Sessions(props: Props) {
  const { title } = useWords('sessions')
  return (
    <Card title={title} titleId="sessions">
      <LiveSessions {...props} isReview={false} />
    </Card>
  )
}

/** Lists this session first, then the newest. */
export function LiveSessions({ own, sessions, isReview }: Props & Pick<SessionListProps, 'isReview'>) {
  const words = useWords('sessions')
  const { unknownBrowser } = useWords('activity')
  const others = sessions.filter(({ current }) => !current).sort(newestFirst)
  const recorded = sessions.find(({ current }) => current)
  const [method = 'pwd'] = own.methods
  const rows = [
    {
      id: 'current',
      browser: recorded?.browser ? browserLabel(recorded.browser) : words.thisBrowser,
      facts: <Facts method={method} at={recorded?.at} />,
    },
    ...others.map(({ id, browser, method, at, lastActiveAt }) => ({
      id,
      browser: browser === null ? unknownBrowser : browserLabel(browser),
      facts: (
        <>
          <Facts method={method} at={at} />
          {/* A sign-in is activity: its day says it. */}
          {at.slice(0, 10) !== lastActiveAt && <LastActive on={lastActiveAt} />}
        </>
      ),
    })),
  ]
  return <SessionList rows={rows} isReview={isReview} />
}

/** Shows so many sessions at first. */
const initiallyShown = 4

interface SessionRow {
  id: string
  browser: string
  facts: ReactNode
}

interface SessionListProps {
  rows: SessionRow[]
  /** True if the owner should recognize all: the list then leaves none out, and this browser stays */
  isReview: boolean
}

/** The account's sessions, this one first, each with its way out. */
function SessionList({ rows, isReview }: SessionListProps) {
  const words = useWords('sessions')
  const fill = useFill()
  const list = useRef<HTMLDivElement>(null)
  const sessions = useRef<HTMLUListElement>(null)
  const [areAllShown, setAllShown] = useState(isReview)
  const { focusAfterUpdate } = usePageFeedback()
  const signOuts = useSignOuts(list)

  function showAll() {
    setAllShown(true)
    // The button goes, so the first new session gets the focus.
    focusAfterUpdate(() => sessions.current?.children[initiallyShown] as HTMLElement | undefined)
  }
  const items = rows.map((row, index) => (
    <SessionItem key={row.id} row={row} badge={index === 0 ? words.thisSession : undefined}>
      {/* The way out of this session is in the header. */}
      {index > 0 && <SignOutSession row={row} signOuts={signOuts} />}
    </SessionItem>
  ))
  return (
    <div ref={list} tabIndex={-1} className="rounded-card pt-1">
      <div className="px-card has-data-tone:pt-4">
        <ActionMessages action={signOuts.action} />
      </div>
      <ul ref={sessions} className="divide-y divide-line px-card">
        {areAllShown ? items : items.slice(0, initiallyShown)}
      </ul>
      {items.length > initiallyShown && !areAllShown && (
        <div className="border-t border-line px-card py-2">
          <Button look="quiet" className="outdent" onClick={showAll}>
            {fill(words.showAll, { count: items.length })}
          </Button>
        </div>
      )}
      <SignOutOthers hasOthers={rows.length > 1} isReview={isReview} signOuts={signOuts} />
    </div>
  )
}

function SessionItem({
  row: { browser, facts },
  badge,
  children,
}: {
  row: SessionRow
  badge: string | undefined
  children: ReactNode
}) {
  const Icon = /Android|iOS|iPadOS/.test(browser) ? DeviceIcon : ComputerIcon
  return (
    <li tabIndex={-1} className="flex gap-3.5 py-3.5 outline-none">
      <span className="mt-0.5 text-muted">
        <Icon />
      </span>
      <div className="min-w-0 grow">
        <Row controls={children}>
          <h3 className="font-medium">
            <bdi>{browser}</bdi>
            {badge && <Badge tone="accent">{badge}</Badge>}
          </h3>
          <p className="text-small text-muted">{facts}</p>
        </Row>
      </div>
    </li>
  )
}

function Facts({ method, at }: { method: Method; at: string | undefined }) {
  const fill = useFill()
  const words = useWords('sessions')
  const { methods } = useWords('activity')
  return (
    <>
      <span className="block sm:inline">{fill(words.signedIn, { method: methods[method] })}</span>
      {at && (
        <>
          <span className="hidden sm:inline"> · </span>
          <Moment at={at} />
        </>
      )}
    </>
  )
}

/** Shows the API's UTC day, which without a time has no other day in the reader's zone. */
function LastActive({ on }: { on: string }) {
  const fill = useFill()
  const locale = useLocale()
  const { now } = useGivenClock()
  const { activeToday, activeOn } = useWords('sessions')
  const isToday = on === new Date(now).toISOString().slice(0, 10)
  return (
    <span className="block">
      {isToday ? activeToday : fill(activeOn, { date: dateOf(locale, on, { zone: 'UTC', now }) })}
    </span>
  )
}

/** Ends sessions of the account: one, all but this one, or all, which leaves the page. */
export function useSignOuts(list: RefObject<HTMLElement | null>) {
  const words = useWords('sessions')
  const fill = useFill()
  const refresh = useRefresh(list)
  const action = useAccountAction(list)

  const stay = (message: string) => () => {
    refresh()
    return message
  }
  return {
    action,
    one: (session: { id: string; browser: string }) =>
      action.run(
        session.id,
        () => signOutSession(session),
        stay(fill(words.browserSignedOut, { browser: session.browser })),
      ),
    elsewhere: () => action.run('elsewhere', signOutEverywhereElse, stay(words.signedOutElsewhere)),
    everywhere: () => action.run('everywhere', signOutEverywhere, () => navigate('/signin')),
  }
}

interface SignOutsProps {
  signOuts: ReturnType<typeof useSignOuts>
}

function SignOutSession({ row, signOuts: { action, one } }: SignOutsProps & { row: SessionRow }) {
  const { signOut } = useWords('account')
  const { signOutBrowser } = useWords('sessions')
  const fill = useFill()
  return (
    <ActionButton
      action={action}
      name={row.id}
      look="quiet"
      // Names the browser, so that screen readers can tell the buttons apart, too.
      aria-label={fill(signOutBrowser, { browser: row.browser })}
      onClick={() => one(row)}
    >
      {signOut}
    </ActionButton>
  )
}

/** Ends all other sessions, if there are any, or all of them. */
function SignOutOthers({
  hasOthers,
  isReview,
  signOuts: { action, elsewhere, everywhere },
}: SignOutsProps & { hasOthers: boolean; isReview: boolean }) {
  const words = useWords('sessions')
  // In a review, the answer below is the main button.
  const isMainAnswer = hasOthers && !isReview
  return (
    <div
      className={`flex flex-wrap gap-2.5 border-t border-line px-card ${isMainAnswer ? 'py-4 *:grow sm:*:grow-0' : 'py-2'}`}
    >
      {hasOthers && (
        <ActionButton
          action={action}
          name="elsewhere"
          look={isMainAnswer ? 'secondary' : 'quiet'}
          className={isMainAnswer ? '' : 'outdent'}
          onClick={elsewhere}
        >
          {words.signOutElsewhere}
        </ActionButton>
      )}
      {!isReview && (
        <ActionButton
          action={action}
          name="everywhere"
          look="quiet"
          className={hasOthers ? '' : 'outdent'}
          onClick={everywhere}
        >
          {words.signOutEverywhere}
        </ActionButton>
      )}
    </div>
  )
}
