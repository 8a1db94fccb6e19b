import { loadAccountPage } from '@/app/load-page'
import { AccountPage } from '@/components/account/account-page'
import { AccountShell } from '@/components/account/account-shell'

export default async function NotesPage() {
  const { language, site, account } = await loadAccountPage('/notes')
  return (
    <AccountShell language={language} site={site} account={account} current="/notes">
      <AccountPage account={account} site={site}>
        <h1>Notes of {account.username}</h1>
      </AccountPage>
    </AccountShell>
  )
}
