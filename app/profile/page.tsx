import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { Card, Fact, Facts } from '@/components/card'
import { Day } from '@/components/day'
import { MemberShell } from '@/components/shell'
import { SignOut } from '@/components/sign-out'
import type { Account } from '@/lib/client/account'
import { currentAccount, siteInfo } from '@/lib/web/page'

export const metadata: Metadata = { title: 'Profile' }

export default async function ProfilePage() {
  const account = await currentAccount(await headers())
  if (!account) redirect('/signin?next=/profile')
  return (
    <MemberShell appName={siteInfo().appName} current="/profile">
      <p className="text-muted">Signed in as</p>
      <h1 className="text-display font-semibold text-wrap break-words">{account.username}</h1>
      <p className="mt-1.5 text-muted">
        Member since <Day at={account.createdAt} />
      </p>
      <div className="mt-8 space-y-5">
        <WaysIn account={account} />
        <ThisSession session={account.session} />
      </div>
    </MemberShell>
  )
}

function WaysIn({ account }: { account: Account }) {
  const count = account.passkeys.length
  const manage = (
    <a
      href="/passkeys"
      className="inline-flex min-h-11 items-center rounded-control text-small whitespace-nowrap font-medium text-accent hover:underline"
    >
      {count === 0 ? 'Add a passkey' : 'Manage passkeys'}
    </a>
  )
  return (
    <Card title="Ways to sign in" titleId="ways-in" action={manage}>
      <Facts>
        <Fact name="Passkeys">{count || 'None yet'}</Fact>
        <Fact name="Password">{account.hasPassword ? 'Set' : 'Not set'}</Fact>
      </Facts>
    </Card>
  )
}

const methodNames: Record<string, string> = { pwd: 'Password', passkey: 'Passkey', recovery: 'Recovery code' }

function ThisSession({ session }: { session: Account['session'] }) {
  return (
    <Card title="This session" titleId="this-session">
      <Facts>
        <Fact name="Signed in with">{session.methods.map((method) => methodNames[method] ?? method).join(', ')}</Fact>
        <Fact name="Ends">
          <Day at={session.expiresAt} time />
        </Fact>
      </Facts>
      <div className="border-t border-line px-5 py-4 sm:px-6">
        <SignOut />
      </div>
    </Card>
  )
}
