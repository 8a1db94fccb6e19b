import { loadAccountPage, titleOf } from '@/app/load-page'
import { AccountShell } from '@/components/account/account-shell'
import { Activity } from '@/components/account/activity'
import { SectionHeading } from '@/components/account/home'
import { recentEvents } from '@/lib/activity/events'
import { recentActivity } from '@/lib/http/pages/load'

export const generateMetadata = titleOf((words) => words.profile.recentActivity)

const path = '/profile/activity'

/** What happened to the account. */
export default async function ActivityPage() {
  const { language, site, signedIn, account } = await loadAccountPage(path)
  const { signIns, changes } = await recentActivity(signedIn)
  const recent = recentEvents(signIns, changes)
  return (
    <AccountShell language={language} namespaces={['activity']} site={site} account={account}>
      <SectionHeading id="events" title={language.words.profile.recentActivity} language={language} />
      <section aria-labelledby="events" className="rounded-card border border-line bg-surface shadow-raised">
        {/* The list starts anew when something has happened. */}
        <Activity key={recent.first[0]?.at} {...recent} />
      </section>
    </AccountShell>
  )
}
