import type { Metadata } from 'next'
import { loadPage, loadRequestOrRestart, type PageProps, requestLoader, requestTokenOf } from '@/app/load-page'
import { AccountChip } from '@/components/account/account-chip'
import { AccountProvider } from '@/components/account/account-provider'
import { AppOrnament } from '@/components/apps/app-icon'
import { ConsentButtons, RequiredPasskey } from '@/components/apps/consent'
import { ExpiredRequest, Host, RequestedData, UnknownClient } from '@/components/apps/request'
import { SupportLink } from '@/components/auth/sign-up-links'
import { CardShell, NoScript } from '@/components/ui/page/card-shell'
import { TextLink } from '@/components/ui/text-link'
import type { Account, AppRequest } from '@/lib/api/schemas'
import { withNext } from '@/lib/api/urls'
import { loadAppRequest, restartAuthorizationPath, switchAccountPath } from '@/lib/http/pages/app-requests'
import { cutsOf } from '@/lib/mark'
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
  const { appRequest, failures } = language.words
  const found = await loadRequestOrRestart(token, loadRequest, restartAuthorizationPath)
  if (!found) return <ExpiredRequest language={language} site={site} query={query} words={appRequest} />
  const { account, request } = found
  const another = await switchAccountPath(headers, token, request)
  const { title, lead, allow, decline } = wordsFor(request, account, language)
  return (
    <CardShell
      language={language}
      namespaces={['appRequest', 'account']}
      query={query}
      site={site}
      ornament={<AppOrnament app={request.document ? null : request.app} />}
      title={title}
      lead={lead}
      cuts={cutsOf(account.id)}
      aside={<TextLink href="/signout">{language.words.account.signOut}</TextLink>}
    >
      <NoScript text={language.words.noScript.text} />
      {request.obstacle === 'not_a_member' && site.supportUrl !== null && (
        <div className="-mt-4 mb-3">
          <SupportLink url={site.supportUrl} text={failures.contactSupport} />
        </div>
      )}
      <AccountProvider account={account} site={site}>
        <div className="mb-5">
          <AccountChip
            username={account.username}
            cuts={cutsOf(account.id)}
            change={{ href: withNext('/signin', another), name: language.words.signIn.change }}
          />
        </div>
        {allow !== undefined && <UnknownClient request={request} language={language} />}
        {allow !== undefined && <RequestedData request={request} account={account} language={language} />}
        {request.next !== undefined && <RequiredPasskey next={request.next} />}
        <ConsentButtons request={token} {...(allow !== undefined && { allow })} decline={decline} />
      </AccountProvider>
    </CardShell>
  )
}

function wordsFor({ app, document, obstacle }: AppRequest, { passkeys }: Account, { locale, words }: PageLanguage) {
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
    // The host that counts is in the title of a client that introduced itself.
    lead: document ? null : <Host host={app.host} />,
    allow: appRequest.next,
    decline: words.forms.cancel,
  }
}
