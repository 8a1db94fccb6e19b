import { loadAccountPage, titleOf } from '@/app/load-page'
import { AccountShell } from '@/components/account/account-shell'
import { Activity } from '@/components/account/activity'
import { Notices } from '@/components/account/notices'
import { RecoveryCodesSetting } from '@/components/account/recovery/recovery-codes-setting'
import { Sessions } from '@/components/account/sessions'
import { DeleteAccount } from '@/components/account/settings/delete-account'
import { EmailSetting } from '@/components/account/settings/email-setting'
import { NameSetting } from '@/components/account/settings/name-setting'
import { PasskeyCount } from '@/components/account/settings/passkey-count'
import { PasswordSetting } from '@/components/account/settings/password-setting'
import { UsernameSetting } from '@/components/account/settings/username-setting'
import { Suggestions } from '@/components/account/suggestions'
import { Username } from '@/components/account/username'
import { ConnectedApps } from '@/components/apps/connected-apps'
import { ButtonLink } from '@/components/ui/button'
import { Card, Rows } from '@/components/ui/card'
import { Day } from '@/components/ui/words/day'
import { Filled } from '@/components/ui/words/filled'
import { newestFirst, recentEvents } from '@/lib/activity/event-groups'
import { pendingNotices, unansweredAdditions } from '@/lib/activity/notices'
import { needsNewSignInMethod, signedInByPasswordRecently } from '@/lib/activity/suggestions'
import type { Account } from '@/lib/api/schemas'
import type { Site } from '@/lib/api/site'
import { allowedApps, liveSessions, passkeyInUse, recentActivity } from '@/lib/http/pages/load'
import { readNoticeMemory } from '@/lib/http/request/cookies'
import type { Namespace } from '@/lib/messages/en'
import { fill } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'

export const generateMetadata = titleOf((words) => words.account.profile)

/** The parts of the catalogue that the page needs. */
const namespaces: readonly Namespace[] = [
  'profile',
  'suggestions',
  'passwordAdvice',
  'sessions',
  'apps',
  'activity',
  'notices',
]

export default async function ProfilePage() {
  const { headers, language, site, signedIn, account } = await loadAccountPage('/profile')
  const [activity, sessions, apps, inUse] = await Promise.all([
    recentActivity(signedIn),
    liveSessions(signedIn),
    allowedApps(signedIn),
    passkeyInUse(headers),
  ])
  const { signIns, changes, notable } = activity
  const events = [...signIns.events, ...changes.events].sort(newestFirst)
  const recent = recentEvents(signIns, changes)
  const memory = readNoticeMemory(headers)
  const notices = pendingNotices(notable, account.id, memory)
  const unanswered = unansweredAdditions(notable, account, memory)
  const needsSignInMethod = needsNewSignInMethod(account.session.methods, events)
  const words = language.words.profile
  return (
    <AccountShell language={language} namespaces={namespaces} site={site} account={account} current="/profile">
      <Heading account={account} site={site} language={language} />
      <div className="mt-7">
        <Notices notices={notices} secure="/secure" />
        {/* What may be wrong comes before what could be better, unless nothing is left to sign in with. */}
        {(notices.length === 0 || needsSignInMethod) && (
          <Suggestions
            needsSignInMethod={needsSignInMethod}
            signedInByPasswordRecently={signedInByPasswordRecently(events, Date.now())}
          />
        )}
      </div>
      <div className="space-y-5">
        <Card title={words.signingIn} titleId="signing-in">
          <Rows>
            <PasskeyCount count={account.passkeys.length} language={language} />
            {site.passwords && (
              <PasswordSetting
                unanswered={{ ...unanswered, passkeys: unanswered.passkeys.filter((id) => id !== inUse) }}
              />
            )}
            <RecoveryCodesSetting />
            <UsernameSetting />
          </Rows>
          <div className="border-t border-line px-card py-2">
            <span className="outdent inline-flex">
              <ButtonLink href="/secure" look="quiet">
                {words.checkUp}
              </ButtonLink>
            </span>
          </div>
        </Card>
        <Card title={words.aboutYou} titleId="about-you">
          <Rows>
            <NameSetting />
            <EmailSetting />
          </Rows>
        </Card>
        <Sessions own={account.session} sessions={sessions} />
        <ConnectedApps apps={apps} />
        <Card title={words.recentActivity} titleId="activity">
          {/* The list starts anew when something has happened. */}
          <Activity key={recent.first[0]?.at} {...recent} />
        </Card>
      </div>
      <DeletionSection language={language} />
    </AccountShell>
  )
}

interface HeadingProps {
  account: Account
  site: Site
  language: PageLanguage
}

/** Names the owner of the page, and links to the adopter's app. */
function Heading({ account, site, language }: HeadingProps) {
  const words = language.words.profile
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        <h1 className="text-display font-semibold text-wrap break-words">
          <Username name={account.username} />
        </h1>
        <p className="mt-1 text-muted">
          <Filled message={words.memberSince} values={{ date: <Day at={account.createdAt} /> }} />
        </p>
      </div>
      {site.homeUrl !== null && (
        <ButtonLink href={site.homeUrl}>{fill(language.locale, words.continueTo, { app: site.appName })}</ButtonLink>
      )}
    </div>
  )
}

function DeletionSection({ language }: { language: PageLanguage }) {
  const { deleteAccount, deleteAbout } = language.words.profile
  return (
    <div className="mt-10 px-card">
      <h2 className="text-title font-semibold">{deleteAccount}</h2>
      <p className="mt-1 max-w-prose text-muted">{deleteAbout}</p>
      <DeleteAccount />
    </div>
  )
}
