import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { AccountPage } from '@/components/account/account-page'
import { AccountShell } from '@/components/account/account-shell'
import { SignOut } from '@/components/account/sign-out'
import { AddPasskey } from '@/components/passkeys/add-passkey'
import { PasskeyCard } from '@/components/passkeys/passkey-card'
import { Notice } from '@/components/ui/notice'
import { currentAccount, siteInfo } from '@/lib/http/page-data'

export const metadata: Metadata = { title: 'Passkeys' }

export default async function PasskeysPage() {
  const account = await currentAccount(await headers())
  if (!account) redirect('/signin?next=/passkeys')
  const site = siteInfo()
  return (
    <AccountShell site={site} current="/passkeys">
      <AccountPage account={account} site={site}>
        <h1 className="text-display font-semibold">Passkeys</h1>
        <p className="mt-2 max-w-prose text-lead text-muted">
          Sign in with your fingerprint, face or screen lock. A passkey only works on this site.
        </p>
        <div className="mt-6">
          <AddPasskey />
        </div>
        {account.passkeys.length === 0 && <NoPasskeys hasPassword={account.hasPassword} />}
        <ul className="mt-8 space-y-3">
          {account.passkeys.map((passkey) => (
            <PasskeyCard key={passkey.id} passkey={passkey} />
          ))}
        </ul>
        {account.passkeys.length === 1 && <AddSecond />}
        <SignedInAs username={account.username} />
      </AccountPage>
    </AccountShell>
  )
}

function SignedInAs({ username }: { username: string }) {
  return (
    <div className="mt-10 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-5">
      <p className="min-w-0 text-muted">
        Signed in as <span className="font-medium break-words text-ink">{username}</span>
      </p>
      <SignOut />
    </div>
  )
}

function NoPasskeys({ hasPassword }: { hasPassword: boolean }) {
  return (
    <div className="mt-8 rounded-card border border-dashed border-edge px-5 py-8 text-center sm:px-8">
      <h2 className="text-title font-semibold">No passkeys yet</h2>
      <p className="mx-auto mt-1 max-w-sm text-muted">
        Add one to sign in with a touch or a glance.
        {hasPassword && ' Your password keeps working.'}
      </p>
    </div>
  )
}

function AddSecond() {
  return (
    <div className="mt-5">
      <Notice>
        <p className="font-semibold">Add a second passkey</p>
        <p className="text-muted">
          Use your phone, another computer or a security key. If you lose one device, you can still sign in with the
          other.
        </p>
      </Notice>
    </div>
  )
}
