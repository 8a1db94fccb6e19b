import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { firstOf, loadPage, type PageProps } from '@/app/load-page'
import { ForgetLink } from '@/components/auth/sign-in/forget-link'
import { SignInMethods } from '@/components/auth/sign-in/sign-in-methods'
import { SignInTitle } from '@/components/auth/sign-in/sign-in-title'
import { SignUpHint } from '@/components/auth/sign-in/sign-up-hint'
import { CardShell } from '@/components/ui/page/card-shell'
import { NoScript } from '@/components/ui/page/no-script'
import { requestedSignIn } from '@/lib/http/pages/authorization-request'
import { currentAccount } from '@/lib/http/pages/current-account'
import { passkeyOptions } from '@/lib/http/pages/passkey-options'
import { sendingApp } from '@/lib/http/pages/destination'
import { readArrival, readFlashMessage, showsFlashMessage } from '@/lib/http/visitor/flash-message'
import { afterSignIn, afterSignInViaNotices, safeNext, viaAccessCookie } from '@/lib/http/visitor/redirects'
import { readRememberedSignIn } from '@/lib/http/visitor/remembered-sign-in'
import { fill } from '@/lib/messages/format/fill'

/** With what has just happened in the title: that is what a screen reader says first of a page. */
export async function generateMetadata({ searchParams }: PageProps): Promise<Metadata> {
  const { headers, language } = await loadPage()
  const { signIn, arrivals } = language.words
  const { next, recover } = await searchParams
  if (recover !== undefined) return { title: signIn.recoveryTitle }
  const message = showsFlashMessage(next) ? readFlashMessage(headers) : null
  return { title: message ? `${arrivals[message]} ${signIn.title}` : signIn.title }
}

export default async function SignInPage({ searchParams }: PageProps) {
  const query = await searchParams
  const next = afterSignIn(query.next)
  const { headers, language, site } = await loadPage()
  const request = await requestedSignIn(headers, next)
  const isSignedIn = (await currentAccount(headers)) !== null
  if (isSignedIn && !request?.needsCredential) redirect(viaAccessCookie(next))
  const { signIn, noScript, arrivals } = language.words
  const remembered = readRememberedSignIn(headers)
  const arrival = readArrival(headers, query.next)
  const showsMessage = showsFlashMessage(query.next)
  const back =
    remembered.username !== null && fill(language.locale, arrivals.welcomeBack, { username: remembered.username })
  const app = await sendingApp(query.next)
  const why =
    app === null
      ? !showsMessage && arrival && arrivals[arrival]
      : fill(language.locale, language.words.appRequest.signInFor, { app })
  const then = afterSignInViaNotices(query.next)
  return (
    <CardShell
      language={language}
      namespaces={['signIn']}
      query={query}
      site={site}
      title={<SignInTitle signIn={signIn.title} recovery={signIn.recoveryTitle} appName={site.appName} />}
      lead={[back, why].filter(Boolean).join(' ')}
      flashMessage={showsMessage && arrival ? arrivals[arrival] : null}
      aside={
        <>
          {/* /signup would lead back here. */}
          {!isSignedIn && <SignUpHint language={language} site={site} next={safeNext(query.next)} />}
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
        next={then}
        remembered={remembered}
        hint={request?.hint}
        afterRecovery={request ? then : '/profile'}
        passkeyOptions={await passkeyOptions()}
      />
    </CardShell>
  )
}
