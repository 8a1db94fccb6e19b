import { loadAccountPage, type PageProps, titleOf } from '@/app/load-page'
import { AccountShell } from '@/components/account/account-shell'
import { NoticeList } from '@/components/account/notices/notice-list'
import { SecureSteps } from '@/components/account/secure/secure-steps'
import { PasskeyCard } from '@/components/passkeys/passkey-card'
import { PasskeyMessages } from '@/components/passkeys/passkey-messages'
import { ownActionsSince } from '@/lib/activity/notice-memory'
import { latestOf, mayHaveIntruder, pendingNotices } from '@/lib/activity/notices'
import { liveSessions, notableEvents } from '@/lib/http/pages/account-data'
import { passkeyInUse } from '@/lib/http/pages/current-account'
import { carryNext, loadDestination } from '@/lib/http/pages/destination'
import { readNoticeMemory } from '@/lib/http/visitor/notice-memory'
import type { Namespace } from '@/lib/messages/en'
import { continueLabel } from '@/lib/messages/format/continue-label'

export const generateMetadata = titleOf((words) => words.secure.title)

/** What the components inside need of the catalogue. */
const namespaces: readonly Namespace[] = [
  'secure',
  'notices',
  'activity',
  'passkeys',
  'sessions',
  'profile',
  'passwordAdvice',
]

/** Without a notice, what was done in this time counts as done. */
const recentMilliseconds = 3_600_000

/** Leads through what keeps a stranger out of the account. */
export default async function SecurePage({ searchParams }: PageProps) {
  const query = await searchParams
  const { headers, language, site, signedIn, account } = await loadAccountPage(carryNext('/secure', query.next))
  const { href, app } = await loadDestination('/secure', query.next ?? '/profile')
  const [events, inUse, sessions] = await Promise.all([
    notableEvents(signedIn),
    passkeyInUse(headers),
    liveSessions(signedIn),
  ])
  const memory = readNoticeMemory(headers)
  const notices = pendingNotices(events, account.id, memory)
  const until = latestOf(notices)
  const { secure } = language.words
  return (
    <AccountShell
      language={language}
      namespaces={namespaces}
      query={query}
      site={site}
      account={account}
      current="/secure"
    >
      <h1 className="mb-2 text-display font-semibold">{secure.title}</h1>
      <PasskeyMessages />
      <SecureSteps
        intro={
          <>
            <p className="max-w-prose text-lead text-muted">{secure.lead}</p>
            {notices.length > 0 && (
              <div className="mt-5 rounded-card border border-danger-line bg-danger-wash px-card py-2.5">
                <NoticeList notices={notices} />
              </div>
            )}
          </>
        }
        passkeys={
          <ul className="space-y-3">
            {account.passkeys.map((passkey) => (
              <PasskeyCard
                key={passkey.id}
                passkey={passkey}
                inUse={passkey.id === inUse}
                heading="h3"
                words={language.words}
              />
            ))}
          </ul>
        }
        mayHaveIntruder={notices.length === 0 || mayHaveIntruder(notices)}
        // The list of sessions is only a record: who has a notice signs the others out, listed or not.
        hasOtherSessions={notices.length > 0 || sessions.some(({ current }) => !current)}
        done={ownActionsSince(memory, account.id, until || Date.now() - recentMilliseconds)}
        until={until}
        next={href}
        continueLabel={continueLabel(language, app)}
      />
    </AccountShell>
  )
}
