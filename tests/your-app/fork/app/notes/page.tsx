import { loadAccountPage } from '@/app/load-page'
import { AccountShell } from '@/components/account/account-shell'

export default async function NotesPage() {
  const { language, site, account } = await loadAccountPage('/notes')
  return (
    <AccountShell language={language} site={site} account={account}>
      <h1>Notes of {account.username}</h1>
    </AccountShell>
  )
}
