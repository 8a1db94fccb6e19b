import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { AccountPage } from '@/components/account/account-page'
import { AccountShell } from '@/components/account/account-shell'
import { currentAccount, siteInfo } from '@/lib/http/page-data'

export default async function NotesPage() {
  const account = await currentAccount(await headers())
  if (!account) redirect('/signin?next=/notes')
  const site = siteInfo()
  return (
    <AccountShell site={site} current="/notes">
      <AccountPage account={account} site={site}>
        <h1>Notes of {account.username}</h1>
      </AccountPage>
    </AccountShell>
  )
}
