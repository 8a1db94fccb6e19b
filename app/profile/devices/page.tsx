import { loadAccountPage, titleOf } from '@/app/load-page'
import { AccountShell } from '@/components/account/account-shell'
import { SectionHeading } from '@/components/account/home'
import { LiveSessions } from '@/components/account/sessions'
import { liveSessions } from '@/lib/http/pages/load'

export const generateMetadata = titleOf((words) => words.sessions.title)

const path = '/profile/devices'

/** Where the account is signed in. */
export default async function DevicesPage() {
  const { language, site, signedIn, account } = await loadAccountPage(path)
  const sessions = await liveSessions(signedIn)
  return (
    <AccountShell language={language} namespaces={['sessions', 'activity']} site={site} account={account}>
      <SectionHeading id="sessions" title={language.words.sessions.title} language={language} />
      <section aria-labelledby="sessions" className="rounded-card border border-line bg-surface shadow-raised">
        <LiveSessions own={account.session} sessions={sessions} heading="h2" isReview={false} />
      </section>
    </AccountShell>
  )
}
