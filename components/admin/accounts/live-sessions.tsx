'use client'

import { Confirmed } from '@/components/admin/confirmed'
import { Card, Row } from '@/components/ui/card'
import { Messages } from '@/components/ui/feedback/page-feedback'
import { Moment } from '@/components/ui/words/day'
import { useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import { newestFirst } from '@/lib/activity/event-groups'
import type { ShownAccount } from '@/lib/api/schemas'
import { browserLabel } from '@/lib/messages/format/labels'

const place = 'session-list'

/** Where the person is signed in. */
export function LiveSessions({ shown }: { shown: ShownAccount }) {
  const words = useWords('adminAccounts')
  const { signedIn } = useWords('sessions')
  const { methods, unknownBrowser } = useWords('activity')
  const fill = useFill()
  const { id, username } = shown
  const sessions = [...shown.sessions].sort(newestFirst)
  return (
    <Card title={words.sessions} titleId="sessions">
      <div id={place} tabIndex={-1} className="outline-none">
        <Messages place={place} className="not-empty:px-card not-empty:pt-4" />
        {sessions.length === 0 && <p className="px-card py-3.5 text-muted">{words.noSessions}</p>}
        <ul className="divide-y divide-line px-card">
          {sessions.map(({ id: session, browser, method, at }) => {
            const name = browser === null ? unknownBrowser : browserLabel(browser)
            return (
              <li key={session} className="py-3.5">
                <Row
                  controls={
                    <Confirmed
                      label={words.endSession}
                      fullLabel={fill(words.endThisSession, { browser: name })}
                      question={fill(words.endSessionQuestion, { browser: name })}
                      text={words.endSessionText}
                      confirm={words.endSession}
                      path="/api/admin/accounts/end-session"
                      body={{ id, session }}
                      failed={words.endSessionFailed}
                      place={place}
                      done={fill(words.sessionEnded, { browser: name })}
                    />
                  }
                >
                  <h3 className="font-medium">
                    <bdi>{name}</bdi>
                  </h3>
                  <p className="text-small text-muted">
                    {fill(signedIn, { method: methods[method] })} · <Moment at={at} />
                  </p>
                </Row>
              </li>
            )
          })}
        </ul>
        {sessions.length > 0 && (
          <div className="border-t border-line px-card py-2">
            <span className="outdent inline-flex">
              <Confirmed
                label={words.signOut}
                question={fill(words.signOutQuestion, { username })}
                text={words.signOutText}
                confirm={words.signOut}
                path="/api/admin/accounts/sign-out"
                body={{ id }}
                failed={words.signOutFailed}
                place={place}
                done={fill(words.signedOut, { username })}
              />
            </span>
          </div>
        )}
      </div>
    </Card>
  )
}
