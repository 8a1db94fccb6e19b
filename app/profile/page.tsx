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
import { Card, Rows } from '@/components/ui/card'
import { Day } from '@/components/ui/day'
import { needsNewSignInMethod, signedInByPasswordRecently } from '@/lib/browser/events'
import { pendingNotices } from '@/lib/browser/notices'
import { currentAccount, liveSessions, readNoticeMemory, recentActivity, siteInfo } from '@/lib/http/page-data'

export const metadata: Metadata = { title: 'Profile' }

export default async function ProfilePage() {
  const asked = await headers()
  const account = await currentAccount(asked)
  if (!account) redirect('/signin?next=/profile')
  const [activity, sessions] = await Promise.all([recentActivity(asked, account), liveSessions(asked, account)])
  const { signIns, changes, notable } = activity
  const events = [...signIns.events, ...changes.events].sort((a, b) => (a.at < b.at ? 1 : -1))
  const notices = pendingNotices(notable, account.id, readNoticeMemory(asked))
  const site = siteInfo()
  return (
    <AccountShell appName={site.appName} current="/profile">
      <AccountPage account={account} site={site}>
        <p className="text-muted">Signed in as</p>
        <h1 className="text-display font-semibold text-wrap break-words">{account.username}</h1>
        <p className="mt-1.5 text-muted">
          Member since <Day at={account.createdAt} />
        </p>
        <div className="mt-8">
          <Notices notices={notices} />
          <Suggestions
            needsSignInMethod={needsNewSignInMethod(account.session.methods, events)}
            signedInByPasswordRecently={signedInByPasswordRecently(events, Date.now())}
          />
        </div>
        <div className="space-y-5">
          <Card title="Account" titleId="account">
            <Rows>
              <UsernameSetting />
            </Rows>
          </Card>
          <Card title="Sign-in methods" titleId="sign-in-methods">
            <Rows>
              <PasskeyCount count={account.passkeys.length} />
              {site.passwords && <PasswordSetting />}
              <RecoveryCodesSetting />
            </Rows>
          </Card>
          <Card title="Recent activity" titleId="activity">
            <Activity signIns={signIns} changes={changes} />
          </Card>
          <Sessions own={account.session} sessions={sessions} />
          <Card title="Delete account" titleId="delete-account">
            <div className="px-5 py-4 sm:px-6">
              <p className="max-w-prose text-muted">Permanently deletes your account and all its data.</p>
              <DeleteAccount />
            </div>
          </Card>
        </div>
      </AccountPage>
    </AccountShell>
  )
}
