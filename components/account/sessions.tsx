'use client'

import { SessionList } from '@/components/account/session-list'
import { Card } from '@/components/ui/card'
import { Moment } from '@/components/ui/day'
import { Filled, useWords } from '@/components/ui/words'
import type { Account, LiveSession, Method } from '@/lib/api/schemas'

interface Props {
  own: Account['session']
  /** The account's live sessions. Only a record: `own` may be missing from it. */
  sessions: LiveSession[]
}

/** Where the account is signed in: this session first, then the newest. */
export function Sessions({ own, sessions }: Props) {
  const words = useWords('sessions')
  const { unknownBrowser } = useWords('activity')
  const others = sessions.filter(({ current }) => !current).sort((a, b) => b.at.localeCompare(a.at))
  const recorded = sessions.find(({ current }) => current)
  const [method = 'pwd'] = own.methods
  const rows = [
    {
      id: 'current',
      name: recorded?.browser ?? words.thisBrowser,
      facts: <Facts method={method} at={recorded?.at} expiresAt={own.expiresAt} />,
    },
    ...others.map(({ id, browser, ...session }) => ({
      id,
      name: browser ?? unknownBrowser,
      facts: <Facts {...session} />,
    })),
  ]
  return (
    <Card title={words.title} titleId="sessions">
      <SessionList rows={rows} />
    </Card>
  )
}

function Facts({ method, at, expiresAt }: { method: Method; at: string | undefined; expiresAt: string }) {
  const words = useWords('sessions')
  const way = useWords('activity').ways[method]
  return (
    <>
      <p>
        {at ? (
          <Filled message={words.signedInOn} values={{ way, date: <Moment at={at} /> }} />
        ) : (
          <Filled message={words.signedIn} values={{ way }} />
        )}
      </p>
      <p>
        <Filled message={words.expires} values={{ date: <Moment at={expiresAt} /> }} />
      </p>
    </>
  )
}
