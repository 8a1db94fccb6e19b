import type { Metadata } from 'next'
import { loadPage, loadRequestOrRestart, type PageProps, requestLoader, requestTokenOf } from '@/app/load-page'
import { AccountProvider } from '@/components/account/account-provider'
import { SignedInAs } from '@/components/account/frame/signed-in-as'
import { ConsentButtons } from '@/components/apps/consent-buttons'
import { ExpiredRequest } from '@/components/apps/expired-request'
import { RequestedData } from '@/components/apps/requested-data'
import { RequiredPasskey } from '@/components/apps/required-passkey'
import { CardShell } from '@/components/ui/page/card-shell'
import { NoScript } from '@/components/ui/page/no-script'
import { Filled } from '@/components/ui/words/filled'
import type { Account, AppRequest } from '@/lib/api/schemas'
import { withNext } from '@/lib/api/urls'
import { loadAppRequest, restartAuthorizationPath, switchAccountPath } from '@/lib/http/pages/app-requests'
import { fill } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'

const loadRequest = requestLoader(loadAppRequest)

export async function generateMetadata(props: PageProps): Promise<Metadata> {
  const { language } = await loadPage()
  const found = await loadRequest(await requestTokenOf(props))
  const { title } = found
    ? wordsFor(found.request, found.account, language)
    : { title: language.words.appRequest.failed }
  return { title }
}

/** Shows a signed-in person an app's request, or why the app cannot be used. */
export default async function ConsentPage(props: PageProps) {
  const query = await props.searchParams
  const token = await requestTokenOf(props)
  const { headers, language, site } = await loadPage()
  const { account: accountWords, appRequest } = language.words
  const found = await loadRequestOrRestart(token, loadRequest, restartAuthorizationPath)
  if (!found) return <ExpiredRequest language={language} site={site} query={query} words={appRequest} />
  const { account, request } = found
  const another = await switchAccountPath(headers, token, {
    app: request.app.name,
    requirePasskey: request.obstacle === 'passkey_required',
  })
  const { title, lead, allow, decline } = wordsFor(request, account, language)
  return (
    <CardShell
      language={language}
      namespaces={['appRequest', 'account']}
      query={query}
      site={site}
      ornament={<AppTile name={request.app.name} />}
      title={title}
      lead={lead}
    >
      <NoScript text={language.words.noScript.text} />
      <AccountProvider account={account} site={site}>
        <div className="mb-4 break-words">
          <SignedInAs
            text={fill(language.locale, accountWords.signedInAs, account)}
            links={[
              { href: withNext('/signin', another), name: appRequest.anotherAccount },
              { href: '/signout', name: accountWords.signOut },
            ]}
          />
        </div>
        {allow !== undefined && (
          <RequestedData request={request} displayName={account.displayName} language={language} />
        )}
        {request.next !== undefined && <RequiredPasskey next={request.next} />}
        <ConsentButtons request={token} {...(allow !== undefined && { allow })} decline={decline} />
      </AccountProvider>
    </CardShell>
  )
}

function wordsFor({ app, obstacle }: AppRequest, { passkeys }: Account, { locale, words }: PageLanguage) {
  const { appRequest } = words
  const named = { app: app.name }
  const decline = fill(locale, appRequest.back, named)
  if (obstacle === 'not_a_member')
    return { title: fill(locale, appRequest.notMemberTitle, named), lead: appRequest.notMemberText, decline }
  if (obstacle === 'passkey_required') {
    const lead = passkeys.length > 0 ? appRequest.passkeyText : appRequest.noPasskeyText
    return { title: fill(locale, appRequest.passkeyTitle, named), lead, decline }
  }
  return {
    title: fill(locale, appRequest.consentTitle, named),
    // An impostor can copy the app's name, not its host.
    lead: (
      <Filled
        message={appRequest.host}
        values={{ app: app.name, host: <span className="font-medium text-ink">{app.host}</span> }}
      />
    ),
    allow: fill(locale, words.profile.continueTo, named),
    decline: words.forms.cancel,
  }
}

/** The app's initial: it has no logo here. */
const AppTile = ({ name }: { name: string }) => (
  <div
    aria-hidden="true"
    className="mx-auto mb-4 grid size-10 place-items-center rounded-control border border-line bg-sunken text-title font-semibold uppercase"
  >
    {[...name][0]}
  </div>
)
