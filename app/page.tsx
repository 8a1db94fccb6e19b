import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { loadPage, loadVisitorPage, type PageProps } from '@/app/load-page'
import { ButtonLink } from '@/components/ui/button'
import { PasskeyIcon } from '@/components/ui/icons/form-icons'
import { CardShell } from '@/components/ui/page/card-shell'
import type { Site } from '@/lib/api/site'
import { readEnding, readRememberedSignIn } from '@/lib/http/request/cookies'
import type { Words } from '@/lib/messages/en'
import { fill } from '@/lib/messages/format/text'

export async function generateMetadata({ searchParams }: PageProps): Promise<Metadata> {
  const { headers, language, site } = await loadPage()
  const { arrivals, home } = language.words
  const message = readEnding(headers, (await searchParams).next)
  if (message === null) return {}
  // The layout's template is for pages below this one.
  return { title: `${message === 'account_deleted' ? home.deleted : arrivals[message]} · ${site.appName}` }
}

/** Tells visitors what this is, and how to sign up or in. Redirects a browser with a remembered sign-in to /signin. */
export default async function Home({ searchParams }: PageProps) {
  const { headers, language, site } = await loadVisitorPage('/profile')
  const { locale, words } = language
  const message = readEnding(headers, (await searchParams).next)
  const { method, people } = readRememberedSignIn(headers)
  // Stays to show a flash message, which this page gets only once.
  if ((method !== null || people.length > 0) && message === null) redirect('/signin')
  // After a deletion there is no "your account" to speak of, and signing in is not the primary action.
  const isDeleted = message === 'account_deleted'
  // An adopter with HOME_URL has one app, to which the page leads.
  const hasOneApp = site.homeUrl !== null
  return (
    <CardShell
      language={language}
      namespaces={[]}
      site={site}
      title={isDeleted ? words.home.deleted : fill(locale, words.home.title, { app: site.appName })}
      lead={isDeleted ? words.home.deletedText : hasOneApp ? words.home.lead : words.home.forApps}
      flashMessage={isDeleted ? null : message && words.arrivals[message]}
    >
      <SignUpOrIn words={words} signUp={site.signUp} hasDeleted={isDeleted} />
      {site.homeUrl !== null && (
        <div className="mt-2 -mb-2.5 grid">
          <ButtonLink href={site.homeUrl} look="quiet">
            {fill(locale, words.home.goTo, { app: site.appName })}
          </ButtonLink>
        </div>
      )}
      {!(isDeleted || hasOneApp) && (
        <p className="mt-6 flex gap-2.5 border-t border-line pt-5 text-small text-muted">
          <span className="text-accent">
            <PasskeyIcon />
          </span>
          {words.home.lead}
        </p>
      )}
    </CardShell>
  )
}

interface SignUpOrInProps {
  words: Words
  signUp: Site['signUp']
  /** True after somebody has deleted their account: there is nothing to press first, and mostly nothing to sign in to */
  hasDeleted: boolean
}

/** Links to the sign-in, which most visits are for, and to the sign-up where that is open. */
function SignUpOrIn({ words, signUp, hasDeleted }: SignUpOrInProps) {
  const isOpen = signUp === 'open'
  const look = hasDeleted ? 'secondary' : 'primary'
  return (
    <>
      <div className="grid gap-2.5">
        {!(isOpen && hasDeleted) && (
          <ButtonLink href="/signin" look={look}>
            {words.forms.signIn}
          </ButtonLink>
        )}
        {isOpen && (
          <ButtonLink href="/signup" look="secondary">
            {words.signIn.createAccount}
          </ButtonLink>
        )}
      </div>
      {signUp === 'invited' && <p className="mt-3 text-center text-muted">{words.signIn.byInvitation}</p>}
    </>
  )
}
