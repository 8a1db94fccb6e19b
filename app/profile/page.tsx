import { loadAccountPage, titleOf } from '@/app/load-page'
import { AccountShell } from '@/components/account/account-shell'
import { Heading, LinkRow, YourApps } from '@/components/account/home'
import { Notices } from '@/components/account/notices'
import { RecoveryCodesSetting } from '@/components/account/recovery-codes'
import { UsernameSetting } from '@/components/account/settings/account-settings'
import { PasswordSetting } from '@/components/account/settings/password-setting'
import { Suggestions } from '@/components/account/suggestions'
import { Rows } from '@/components/ui/card'
import {
  eventText,
  needsNewSignInMethod,
  newestFirst,
  recentEvents,
  signedInByPasswordRecently,
} from '@/lib/activity/events'
import { pendingNotices, unansweredAdditions } from '@/lib/activity/notices'
import { allowedApps, liveSessions, passkeyInUse, recentActivity } from '@/lib/http/pages/load'
import { readNoticeMemory } from '@/lib/http/request/cookies'
import type { Namespace } from '@/lib/messages/en'
import { fill } from '@/lib/messages/format/text'

export const generateMetadata = titleOf((words) => words.account.profile)

/** The parts of the catalogue that the page needs. */
const namespaces: readonly Namespace[] = ['profile', 'suggestions', 'passwordAdvice', 'activity', 'notices']

/** The home of a signed-in person: who they are, their apps, what is left to do, and the way to everything else. */
export default async function ProfilePage() {
  const { headers, language, site, signedIn, account } = await loadAccountPage('/profile')
  const [activity, sessions, { apps, tiles }, inUse] = await Promise.all([
    recentActivity(signedIn),
    liveSessions(signedIn),
    allowedApps(signedIn),
    passkeyInUse(headers),
  ])
  const { signIns, changes, notable } = activity
  const events = [...signIns.events, ...changes.events].sort(newestFirst)
  const [latest] = recentEvents(signIns, changes).first
  const memory = readNoticeMemory(headers)
  const notices = pendingNotices(notable, account.id, memory)
  const unanswered = unansweredAdditions(notable, account, memory)
  const needsSignInMethod = needsNewSignInMethod(account.session.methods, events)
  const others = new Set(sessions.filter(({ current }) => !current).map(({ browser }) => browser)).size
  const { locale, words } = language
  const { profile, sessions: sessionWords } = words
  const home = site.homeUrl === null ? [] : [{ name: site.appName, url: site.homeUrl, icon: null }]
  // By the session alone, so that the card keeps its place, and the focus in it, once the new way is set up.
  const isRecovered = account.session.methods.every((method) => method === 'recovery')
  // What may be wrong is answered before what could be better, unless nothing is left to sign in with.
  const suggestions = (
    <div className={`${isRecovered ? 'mb-4' : ''} ${needsSignInMethod ? '' : 'in-[main:has(#notices)]:hidden'}`}>
      <Suggestions
        needsSignInMethod={needsSignInMethod}
        signedInByPasswordRecently={signedInByPasswordRecently(events, Date.now())}
      />
    </div>
  )
  return (
    <AccountShell language={language} namespaces={namespaces} site={site} account={account}>
      <Heading person={account} language={language} />
      {/* The first card overlaps the band. */}
      <div className="relative -mt-7">
        {isRecovered && suggestions}
        <Notices notices={notices} secure="/secure" />
      </div>
      <div className="relative space-y-4">
        <YourApps tiles={[...home, ...tiles]} hasAccess={apps.length > 0} words={words} />
        {!isRecovered && suggestions}
        <section aria-labelledby="account" className="rounded-card border border-line bg-surface shadow-raised">
          <h2 id="account" className="sr-only">
            {words.account.navigation}
          </h2>
          <Rows>
            <LinkRow id="passkeys" href="/passkeys" name={words.account.passkeys}>
              {account.passkeys.length === 0
                ? profile.noPasskeys
                : fill(locale, profile.passkeyCount, { count: account.passkeys.length })}
            </LinkRow>
            {site.passwords && (
              <PasswordSetting
                unanswered={{ ...unanswered, passkeys: unanswered.passkeys.filter((id) => id !== inUse) }}
              />
            )}
            <RecoveryCodesSetting />
            <UsernameSetting />
            <LinkRow id="devices" href="/profile/devices" name={sessionWords.title}>
              {others === 0 ? profile.onlyHere : fill(locale, profile.hereAndOthers, { count: others })}
            </LinkRow>
            <LinkRow id="activity" href="/profile/activity" name={profile.recentActivity}>
              {latest === undefined ? words.activity.none : eventText({ locale, words: words.activity }, latest)}
            </LinkRow>
            <LinkRow id="about-you" href="/profile/about-you" name={profile.aboutYou}>
              {site.mail || account.email !== null ? profile.aboutYouText : profile.aboutYouWithoutEmail}
            </LinkRow>
          </Rows>
        </section>
      </div>
    </AccountShell>
  )
}
