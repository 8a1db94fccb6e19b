import { SessionList } from '@/components/account/session-list'
import { Card } from '@/components/ui/card'
import { Day } from '@/components/ui/day'
import type { Account, LiveSession, Method } from '@/lib/api/schemas'
import { methodNames } from '@/lib/browser/events'

interface Props {
  own: Account['session']
  /** The account's live sessions. Only a record: `own` may be missing from it. */
  sessions: LiveSession[]
}

/** Where the account is signed in: this session first, then the newest. */
export function Sessions({ own, sessions }: Props) {
  const others = sessions.filter(({ current }) => !current).sort((a, b) => b.at.localeCompare(a.at))
  const recorded = sessions.find(({ current }) => current)
  const [method = 'pwd'] = own.methods
  const rows = [
    {
      id: 'current',
      name: recorded?.browser ?? 'This browser',
      facts: <Facts method={method} at={recorded?.at} expiresAt={own.expiresAt} />,
    },
    ...others.map(({ id, browser, ...session }) => ({
      id,
      name: browser ?? 'Unrecognized browser',
      facts: <Facts {...session} />,
    })),
  ]
  return (
    <Card title="Where you're signed in" titleId="sessions">
      <SessionList rows={rows} />
    </Card>
  )
}

function Facts({ method, at, expiresAt }: { method: Method; at: string | undefined; expiresAt: string }) {
  return (
    <>
      <p>
        Signed in with {methodNames[method]}
        {at && (
          <>
            {' '}
            on <Day at={at} time />
          </>
        )}
      </p>
      <p>
        Expires on <Day at={expiresAt} time />
      </p>
    </>
  )
}
