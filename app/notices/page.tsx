import { redirect } from 'next/navigation'
import { loadAccountPage, type PageProps, titleOf } from '@/app/load-page'
import { AccountProvider, SignedInAs } from '@/components/account/account-provider'
import { Notices } from '@/components/account/notices'
import { ContinueLink } from '@/components/auth/url-fragment'
import { CardShell } from '@/components/ui/page/card-shell'
import { pendingNotices } from '@/lib/activity/notices'
import { carryNext, loadDestination } from '@/lib/http/pages/app-requests'
import { notableEvents } from '@/lib/http/pages/load'
import { readNoticeMemory } from '@/lib/http/request/cookies'
import { fill } from '@/lib/messages/format/text'

export const generateMetadata = titleOf((words) => words.notices.beforeGoingOn)

/** Shows notices between a sign-in and an app, to which it redirects at once if there are none. */
export default async function NoticesPage({ searchParams }: PageProps) {
  const query = await searchParams
  const { headers, language, site, signedIn, account } = await loadAccountPage(carryNext('/notices', query.next))
  const { href } = await loadDestination('/notices', query.next)
  const notices = pendingNotices(await notableEvents(signedIn), account.id, readNoticeMemory(headers))
  if (notices.length === 0) redirect(href)
  return (
    <CardShell
      language={language}
      namespaces={['dates', 'account', 'notices', 'activity']}
      query={query}
      site={site}
      title={language.words.notices.beforeGoingOn}
      aside={
        <SignedInAs
          text={fill(language.locale, language.words.account.signedInAs, account)}
          links={[{ href: '/signout', name: language.words.account.signOut }]}
        />
      }
    >
      <AccountProvider account={account} site={site}>
        <Notices notices={notices} secure={carryNext('/secure', query.next)} next={href} />
        <div className="-mb-2.5 grid">
          <ContinueLink href={href} look="quiet">
            {language.words.suggestions.notNow}
          </ContinueLink>
        </div>
      </AccountProvider>
    </CardShell>
  )
}
