import type { Metadata } from 'next'
import { loadPage, loadVisitorPage, type PageProps } from '@/app/load-page'
import { AppOrnament } from '@/components/apps/app-icon'
import { InvitationLead, InvitationTitle, SignUpForm } from '@/components/auth/sign-up-form'
import { SwitchPageLink } from '@/components/auth/sign-up-links'
import { CardShell, NoScript } from '@/components/ui/page/card-shell'
import { withNext } from '@/lib/api/urls'
import { requestedSignIn, sendingApp, switchPath } from '@/lib/http/pages/app-requests'
import { afterSignUp, safeNext, viaAccessCookie } from '@/lib/http/request/redirects'
import { fill } from '@/lib/messages/format/text'

export async function generateMetadata(): Promise<Metadata> {
  const { language, site } = await loadPage()
  const { signUp } = language.words
  return { title: site.signUp === 'closed' ? signUp.closed : signUp.title }
}

/** A URL without a fragment inherits the present one on redirect, and this one may be an invitation. */
const withoutInheritedFragment = (url: string) => (url.includes('#') ? url : `${url}#`)

export default async function SignUpPage({ searchParams }: PageProps) {
  const query = await searchParams
  const next = safeNext(query.next)
  const { headers, language, site: whole } = await loadPage()
  // A request that needs a new credential would send a signed-in person back here forever; they sign in again instead.
  const request = await requestedSignIn(headers, next)
  // An app that takes a passkey only would send whoever signs up by password back to add one.
  const site = { ...whole, passwords: whole.passwords && !request?.needsPasskey }
  await loadVisitorPage(
    withoutInheritedFragment(request?.needsCredential ? withNext('/signin', next) : viaAccessCookie(next)),
  )
  const { forms, signUp, noScript } = language.words
  const signInHref = switchPath('/signin', query.next)
  const app = await sendingApp(query.next)
  const { signUpFor, needsPasskey } = language.words.appRequest
  const why = app !== null && fill(language.locale, request?.needsPasskey ? needsPasskey : signUpFor, { app })
  const choose = site.passwords ? signUp.chooseUsername : signUp.chooseWithoutPassword
  const together = (...sentences: (string | false)[]) => sentences.filter(Boolean).join(' ')
  const inApp = (sentence: string) => fill(language.locale, sentence, { app: site.appName })
  const { title } = signUp
  // A link to support says whom to ask.
  const ask = [signUp.byInvitationText, site.supportUrl === null && signUp.noInvitation]
  const says = {
    nobody: {
      open: { title, lead: together(why, choose) },
      invited: { title: signUp.byInvitation, lead: together(why, ...ask) },
      closed: { title: signUp.closed, lead: inApp(signUp.closedText) },
    }[site.signUp],
    broken: { title: signUp.brokenInvitation, lead: signUp.brokenInvitationText },
    person: { title, lead: together(inApp(signUp.invited), why, choose) },
    administrator: { title, lead: together(inApp(signUp.invitedAdministrator), signUp.chooseWithoutPassword) },
  }
  return (
    <CardShell
      language={language}
      namespaces={['signUp', 'passwordAdvice']}
      query={query}
      site={site}
      ornament={<AppOrnament app={request?.app} />}
      title={<InvitationTitle site={site} says={says} />}
      lead={<InvitationLead site={site} says={says} />}
      aside={
        // Hidden while the form itself links to sign-in.
        <div className="in-[main:has([data-offers-sign-in])]:hidden">
          <SwitchPageLink question={signUp.haveAccount} href={signInHref} name={forms.signIn} />
        </div>
      }
    >
      <NoScript text={noScript.text} />
      <SignUpForm site={site} next={afterSignUp(query.next)} signInHref={signInHref} />
    </CardShell>
  )
}
