import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { AccountPage } from '@/components/account/account-page'
import { AccountShell } from '@/components/account/account-shell'
import { pageLanguage } from '@/lib/http/language'
import { currentAccount, siteInfo } from '@/lib/http/page-data'

export default async function NotesPage() {
  const asked = await headers()
  const account = await currentAccount(asked)
  if (!account) redirect('/signin?next=/notes')
  const language = pageLanguage(asked)
  const site = siteInfo(language)
  return (
    <AccountShell language={language} site={site} current="/notes">
      <AccountPage account={account} site={site}>
        <h1>Notes of {account.username}</h1>
      </AccountPage>
    </AccountShell>
  )
}
