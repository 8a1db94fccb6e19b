import { loadAccountPage, titleOf } from '@/app/load-page'
import { AccountShell } from '@/components/account/account-shell'
import { SectionHeading } from '@/components/account/home'
import { ConnectedApps } from '@/components/apps/connected-apps'
import { allowedApps } from '@/lib/http/pages/load'

export const generateMetadata = titleOf((words) => words.apps.title)

const path = '/profile/apps'

/** The apps that may see something of the account. */
export default async function AppsPage() {
  const { language, site, signedIn, account } = await loadAccountPage(path)
  const { apps } = await allowedApps(signedIn)
  return (
    <AccountShell language={language} namespaces={['apps']} site={site} account={account}>
      <SectionHeading id="apps" title={language.words.apps.title} language={language} />
      <ConnectedApps apps={apps} />
    </AccountShell>
  )
}
