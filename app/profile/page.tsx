import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { AccountPage } from '@/components/account/account-page'
import { AccountShell } from '@/components/account/account-shell'
import { Activity } from '@/components/account/activity'
import { DeleteAccount } from '@/components/account/delete-account'
import { Notices } from '@/components/account/notices'
import { PasskeyCount } from '@/components/account/passkey-count'
import { PasswordSetting } from '@/components/account/password-setting'
import { RecoveryCodesSetting } from '@/components/account/recovery-codes-setting'
import { Sessions } from '@/components/account/sessions'
import { Suggestions } from '@/components/account/suggestions'
import { UsernameSetting } from '@/components/account/username-setting'
import { ButtonLink } from '@/components/ui/button'
import { Card, Rows } from '@/components/ui/card'
import { Day } from '@/components/ui/day'
import { Key } from '@/components/ui/key'
import { Filled } from '@/components/ui/words'
import { needsNewSignInMethod, signedInByPasswordRecently } from '@/lib/browser/events'
import { pendingNotices } from '@/lib/browser/notices'
import { cutsOfAccount } from '@/lib/http/account-key'
import { pageLanguage } from '@/lib/http/language'
import { currentAccount, liveSessions, readNoticeMemory, recentActivity, siteInfo } from '@/lib/http/page-data'
import { fill } from '@/lib/messages/format'

export const generateMetadata = async (): Promise<Metadata> => ({
  title: pageLanguage(await headers()).words.account.profile,
})

/** What of the catalogue the page needs. */
const rooms = ['profile', 'suggestions', 'passwordAdvice', 'sessions', 'activity', 'notices'] as const

export default async function ProfilePage() {
  const asked = await headers()
  const account = await currentAccount(asked)
  if (!account) redirect('/signin?next=/profile')
  const [activity, sessions] = await Promise.all([recentActivity(asked, account), liveSessions(asked, account)])
  const { signIns, changes, notable } = activity
  const events = [...signIns.events, ...changes.events].sort((a, b) => (a.at < b.at ? 1 : -1))
  const notices = pendingNotices(notable, account.id, readNoticeMemory(asked))
  const site = siteInfo()
  const language = pageLanguage(asked)
  const words = language.words.profile
  return (
    <AccountShell language={language} rooms={rooms} site={site} current="/profile">
      <AccountPage account={account} site={site}>
        <Key cuts={cutsOfAccount(account.id)} className="mb-5" />
        <p className="text-muted">{words.signedInAs}</p>
        <h1 className="text-display font-semibold text-wrap break-words">
          <bdi>{account.username}</bdi>
        </h1>
        <p className="mt-1.5 text-muted">
          <Filled message={words.memberSince} values={{ date: <Day at={account.createdAt} /> }} />
        </p>
        {site.homeUrl !== null && (
          <p className="mt-5">
            <ButtonLink href={site.homeUrl} look="primary">
              {fill(language.locale, words.continueTo, { app: site.appName })}
            </ButtonLink>
          </p>
        )}
        <div className="mt-8">
          <Notices notices={notices} />
          <Suggestions
            needsSignInMethod={needsNewSignInMethod(account.session.methods, events)}
            signedInByPasswordRecently={signedInByPasswordRecently(events, Date.now())}
          />
        </div>
        <div className="space-y-5">
          <Card title={words.account} titleId="account">
            <Rows>
              <UsernameSetting />
            </Rows>
          </Card>
          <Card title={words.signInMethods} titleId="sign-in-methods">
            <Rows>
              <PasskeyCount count={account.passkeys.length} words={language.words} />
              {site.passwords && <PasswordSetting />}
              <RecoveryCodesSetting />
            </Rows>
          </Card>
          <Card title={words.recentActivity} titleId="activity">
            <Activity signIns={signIns} changes={changes} />
          </Card>
          <Sessions own={account.session} sessions={sessions} />
          <Card title={words.deleteAccount} titleId="delete-account">
            <div className="px-5 py-4 sm:px-6">
              <p className="max-w-prose text-muted">{words.deleteAbout}</p>
              <DeleteAccount />
            </div>
          </Card>
        </div>
      </AccountPage>
    </AccountShell>
  )
}
