import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { AddPasskey } from '@/components/add-passkey'
import { PasskeyCard } from '@/components/passkey-card'
import { MemberShell } from '@/components/shell'
import { currentAccount, siteInfo } from '@/lib/web/page'

export const metadata: Metadata = { title: 'Passkeys' }

export default async function PasskeysPage() {
  const account = await currentAccount(await headers())
  if (!account) redirect('/signin?next=/passkeys')
  const site = siteInfo()
  return (
    <MemberShell appName={site.appName} current="/passkeys">
      <h1 className="text-display font-semibold">Passkeys</h1>
      <p className="mt-2 max-w-prose text-lead text-muted">
        A passkey signs you in with your fingerprint, your face or your screen lock, and it works on this site alone.
      </p>
      <div className="mt-6">
        <AddPasskey site={site} />
      </div>
      {account.passkeys.length === 0 ? <NoPasskeys /> : null}
      <ul className="mt-8 space-y-3">
        {account.passkeys.map((passkey) => (
          <PasskeyCard key={passkey.id} passkey={passkey} />
        ))}
      </ul>
    </MemberShell>
  )
}

function NoPasskeys() {
  return (
    <div className="mt-8 rounded-card border border-dashed border-edge px-5 py-8 text-center sm:px-8">
      <h2 className="text-title font-semibold">No passkeys yet</h2>
      <p className="mx-auto mt-1 max-w-sm text-muted">
        Add one and the next sign-in takes a touch or a glance. Your password goes on working beside it.
      </p>
    </div>
  )
}
