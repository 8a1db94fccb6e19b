import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { firstOf, loadPage, type PageProps } from '@/app/load-page'
import { SignInTitle } from '@/components/auth/sign-in/sign-in-form'
import { ForgetLink, SignUpHint } from '@/components/auth/sign-in/sign-in-links'
import { SignInMethods } from '@/components/auth/sign-in/sign-in-methods'
import { CardShell } from '@/components/ui/page/card-shell'
import { NoScript } from '@/components/ui/page/no-script'
import { requestedSignIn, sendingApp, switchPath } from '@/lib/http/pages/app-requests'
import { currentAccount, passkeyOptions } from '@/lib/http/pages/load'
import { signInReason } from '@/lib/http/request/cookies'
import { afterSignIn, afterSignInViaNotices, type Next, viaAccessCookie } from '@/lib/http/request/redirects'
import { readFlashMessage, readRememberedSignIn, showsFlashMessage } from '@/lib/http/request/visitor'
import { fill } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'

/** Puts the flash message in the title, which screen readers announce first. */
export async function generateMetadata({ searchParams }: PageProps): Promise<Metadata> {
  const { headers, language } = await loadPage()
  const { signIn, arrivals } = language.words
  const { next, recover } = await searchParams
  if (recover !== undefined) return { title: signIn.recoveryTitle }
  const message = readFlashMessage(headers, next)
  return { title: message ? `${arrivals[message]} ${signIn.title}` : signIn.title }
}

export default async function SignInPage({ searchParams }: PageProps) {
  const query = await searchParams
  const next = afterSignIn(query.next)
  const { headers, language, site } = await loadPage()
  const request = await requestedSignIn(headers, next)
  const isSignedIn = (await currentAccount(headers)) !== null
  if (isSignedIn && !request?.needsCredential) redirect(viaAccessCookie(next))
  const { signIn, noScript, arrivals, appRequest } = language.words
  const remembered = readRememberedSignIn(headers)
  const message = readFlashMessage(headers, query.next)
  const viaNotices = afterSignInViaNotices(query.next)
  return (
    <CardShell
      language={language}
      namespaces={['signIn']}
      query={query}
      site={site}
      title={<SignInTitle signIn={signIn.title} recovery={signIn.recoveryTitle} appName={site.appName} />}
      lead={await signInLead(query.next, language, headers)}
      flashMessage={message && arrivals[message]}
      aside={
        <>
          {/* /signup would lead back here. */}
          {!isSignedIn && <SignUpHint language={language} site={site} href={switchPath('/signup', query.next)} />}
          {(remembered.method ?? remembered.username) !== null && (
            <ForgetLink
              text={remembered.username === null ? arrivals.forget : arrivals.forgetName}
              next={firstOf(query.next)}
            />
          )}
        </>
      }
    >
      <NoScript text={noScript.text} />
      <SignInMethods
        site={site}
        next={viaNotices}
        closePage={request && appRequest.closePage}
        remembered={remembered}
        expectedUsername={request?.hint}
        afterRecovery={request ? viaNotices : '/profile'}
        passkeyOptions={await passkeyOptions()}
      />
    </CardShell>
  )
}

/** Greets a remembered person and says why they must sign in: for an app, or because the page they opened requires it. */
async function signInLead(next: Next, { locale, words }: PageLanguage, headers: Headers): Promise<string> {
  const { arrivals, appRequest } = words
  const { username } = readRememberedSignIn(headers)
  const reason = showsFlashMessage(next) ? null : signInReason(headers)
  const app = await sendingApp(next)
  const why = app === null ? reason && arrivals[reason] : fill(locale, appRequest.signInFor, { app })
  return [username !== null && fill(locale, arrivals.welcomeBack, { username }), why].filter(Boolean).join(' ')
}
