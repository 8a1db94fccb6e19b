'use client'

import { SessionList, type SessionListProps } from '@/components/account/sessions/session-list'
import { Card } from '@/components/ui/card'
import { Moment } from '@/components/ui/words/day'
import { useFill } from '@/components/ui/words/filled'
import { useGivenClock, useLocale, useWords } from '@/components/ui/words/words'
import { newestFirst } from '@/lib/activity/event-groups'
import type { Account, LiveSession, Method } from '@/lib/api/schemas'
import { browserLabel } from '@/lib/messages/format/browser-label'
import { dateOf } from '@/lib/messages/format/dates'

interface Props {
  own: Account['session']
  /** The account's live sessions. Only a record: `own` may be missing from it. */
  sessions: LiveSession[]
}

/** Where the account is signed in. */
export function Sessions(props: Props) {
  const { title } = useWords('sessions')
  return (
    <Card title={title} titleId="sessions">
      <LiveSessions {...props} isReview={false} />
    </Card>
  )
}

/** This session first, then the newest. */
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

/** The API gives a UTC day without a time, which cannot be converted to the reader's zone. */
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
