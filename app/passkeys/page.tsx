import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { AccountPage } from '@/components/account/account-page'
import { AddPasskey } from '@/components/passkeys/add-passkey'
import { PasskeyCard } from '@/components/passkeys/passkey-card'
import { Notice } from '@/components/ui/notice'
import { MemberShell } from '@/components/ui/page-shell'
import { currentAccount, siteInfo } from '@/lib/http/page-data'

export const metadata: Metadata = { title: 'Passkeys' }

export default async function PasskeysPage() {
  const account = await currentAccount(await headers())
  if (!account) redirect('/signin?next=/passkeys')
  const site = siteInfo()
  return (
    <MemberShell appName={site.appName} current="/passkeys">
      <AccountPage account={account} site={site}>
        <h1 className="text-display font-semibold">Passkeys</h1>
        <p className="mt-2 max-w-prose text-lead text-muted">
          A passkey signs you in with your fingerprint, your face or your screen lock, and it works on this site alone.
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
        {account.passkeys.length === 1 && <OnlyOne />}
      </AccountPage>
    </MemberShell>
  )
}

function NoPasskeys({ hasPassword }: { hasPassword: boolean }) {
  return (
    <div className="mt-8 rounded-card border border-dashed border-edge px-5 py-8 text-center sm:px-8">
      <h2 className="text-title font-semibold">No passkeys yet</h2>
      <p className="mx-auto mt-1 max-w-sm text-muted">
        Add one and the next sign-in takes a touch or a glance.
        {hasPassword && ' Your password goes on working beside it.'}
      </p>
    </div>
  )
}

function OnlyOne() {
  return (
    <div className="mt-5">
      <Notice>
        <p className="font-semibold">Add a second passkey</p>
        <p className="text-muted">
          On your phone, another computer or a security key. If you lose the device with this one, the other lets you
          in.
        </p>
      </Notice>
    </div>
  )
}
