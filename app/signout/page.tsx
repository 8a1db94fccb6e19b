import type { Metadata } from 'next'
import { loadPage, loadRequestOrRestart, type PageProps, requestLoader, requestTokenOf } from '@/app/load-page'
import { AccountChip } from '@/components/account/account-chip'
import { AppSignOut } from '@/components/apps/answering'
import { ExpiredRequest } from '@/components/apps/request'
import { CardShell, NoScript } from '@/components/ui/page/card-shell'
import { loadSignOutRequest, restartLogoutPath } from '@/lib/http/pages/app-requests'
import { cutsOf } from '@/lib/mark'
import { fill } from '@/lib/messages/format/text'

const loadRequest = requestLoader(loadSignOutRequest)

export async function generateMetadata(props: PageProps): Promise<Metadata> {
  const { language, site } = await loadPage()
  const { title, failed } = language.words.appSignOut
  const found = await loadRequest(await requestTokenOf(props))
  return { title: found ? fill(language.locale, title, { site: site.appName }) : failed }
}

/** Asks whether an app's logout ends the session here, too. */
export default async function SignOutPage(props: PageProps) {
  const query = await props.searchParams
  const token = await requestTokenOf(props)
  const { language, site } = await loadPage()
  const { locale, words } = language
  const { account: accountWords, appRequest, appSignOut } = words
  const found = await loadRequestOrRestart(token, loadRequest, restartLogoutPath)
  if (!found) return <ExpiredRequest language={language} site={site} query={query} words={appSignOut} />
  const { account, request } = found
  return (
    <CardShell
      language={language}
      namespaces={['appSignOut']}
      query={query}
      site={site}
      title={fill(locale, appSignOut.title, { site: site.appName })}
      lead={request.app ? fill(locale, appSignOut.byApp, { app: request.app.name }) : appSignOut.text}
      cuts={cutsOf(account.id)}
    >
      <NoScript text={words.noScript.text} />
      <div className="mb-5">
        <AccountChip username={account.username} cuts={cutsOf(account.id)} />
      </div>
      {request.app && request.unregistered && (
        <p className="mb-5">{fill(locale, appSignOut.unregistered, { app: request.app.name })}</p>
      )}
      <AppSignOut
        request={token}
        accountId={account.id}
        signOut={accountWords.signOut}
        stay={appSignOut.stay}
        closePage={request.app ? appRequest.closePage : null}
        supportUrl={site.supportUrl}
      />
    </CardShell>
  )
}
