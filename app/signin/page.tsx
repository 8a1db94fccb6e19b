import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { firstOf, loadPage, type PageProps } from '@/app/load-page'
import { AppOrnament } from '@/components/apps/app-icon'
import {
  type Asked,
  CannotSignIn,
  ChooseAccount,
  ForgetLink,
  KnownPerson,
  OtherAccount,
  OtherWays,
  RememberUsername,
  SignUpHint,
} from '@/components/auth/sign-in-choices'
import { SignInTitle } from '@/components/auth/sign-in-form'
import { SignInMethods } from '@/components/auth/sign-in-methods'
import { Divider } from '@/components/ui/card'
import type { PageQuery } from '@/components/ui/page/card-frame'
import { CardShell, NoScript } from '@/components/ui/page/card-shell'
import type { RememberedSignIn, Site } from '@/lib/api/site'
import { type RequestedSignIn, requestedSignIn, sendingApp, switchPath } from '@/lib/http/pages/app-requests'
import { currentAccount, passkeyOptions } from '@/lib/http/pages/load'
import { readEnding, readRememberedSignIn, showsEnding, signInReason } from '@/lib/http/request/cookies'
import { afterSignIn, afterSignInViaNotices, type Next, viaAccessCookie } from '@/lib/http/request/redirects'
import { fill } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'

/** Puts the flash message in the title, which screen readers announce first. */
export async function generateMetadata({ searchParams }: PageProps): Promise<Metadata> {
  const { headers, language } = await loadPage()
  const { signIn, arrivals } = language.words
  const { next, recover } = await searchParams
  if (recover !== undefined) return { title: signIn.recoveryTitle }
  const message = readEnding(headers, next)
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
  const message = readEnding(headers, query.next)
  const viaNotices = afterSignInViaNotices(query.next)
  const asked = askedOf(query, { remembered, request, site })
  const { person } = asked
  const why = await signInLead(query.next, language, { headers, request, asked })
  const continueAs = person && fill(language.locale, signIn.continueAs, person)
  return (
    <CardShell
      language={language}
      namespaces={['signIn']}
      query={query}
      site={site}
      cuts={person?.cuts}
      ornament={<AppOrnament app={request?.app} />}
      title={<SignInTitle signIn={signIn.title} recovery={signIn.recoveryTitle} appName={site.appName} />}
      lead={
        site.passwords ? (
          why
        ) : (
          <>
            {why} <span className="in-[main:has([name=code])]:hidden">{signIn.aboutPasskey}</span>
          </>
        )
      }
      flashMessage={message && arrivals[message]}
      aside={
        <>
          {/* /signup would lead back here. */}
          {!isSignedIn && <SignUpHint language={language} site={site} href={switchPath('/signup', query.next)} />}
          {site.recovery !== null && <CannotSignIn text={arrivals.cannotSignIn} />}
          {/* The way used last alone names nobody. */}
          {remembered.people.length > 0 && (
            <ForgetLink
              text={fill(language.locale, arrivals.forget, { count: remembered.people.length })}
              next={firstOf(query.next)}
            />
          )}
        </>
      }
    >
      <NoScript text={noScript.text} />
      {asked.chooses ? (
        <ChooseAccount people={remembered.people} words={signIn} next={firstOf(query.next)} />
      ) : (
        <>
          {person && <KnownPerson person={person} asked={asked} words={signIn} next={firstOf(query.next)} />}
          <SignInMethods
            site={site}
            next={viaNotices}
            closePage={request && appRequest.closePage}
            lastMethod={person || asked.asksFor === 'password' ? null : remembered.method}
            lastUsed={
              <span id={`last-${remembered.method}`} className="last-used">
                {signIn.lastUsed}
              </span>
            }
            divider={<Divider>{signIn.orPassword}</Divider>}
            known={person !== null}
            remember={person ? null : <RememberUsername text={signIn.remember} />}
            asksFor={asked.asksFor}
            passkeyLabel={asked.asksFor === 'passkey' ? (continueAs ?? signIn.withPasskey) : signIn.withPasskey}
            passwordLabel={continueAs ?? language.words.forms.signIn}
            username={person?.username ?? request?.hint ?? ''}
            afterRecovery={request ? viaNotices : '/profile'}
            passkeyOptions={await passkeyOptions()}
            otherAccount={
              person === null && (
                <div className="mt-2">
                  <OtherAccount words={signIn} next={firstOf(query.next)} />
                </div>
              )
            }
          >
            <OtherWays asked={asked} words={language.words} next={firstOf(query.next)} />
          </SignInMethods>
        </>
      )}
    </CardShell>
  )
}

interface Visit {
  remembered: RememberedSignIn
  request: RequestedSignIn | null
  site: Site
}

/**
 * Whom the page asks for what. `?as` chooses among the people who are remembered, or none of them; `?by` the other way of theirs.
 * Both are links, so that they work without JavaScript and by the browser's Back button.
 */
function askedOf(query: PageQuery, { remembered: { people }, request, site }: Visit): Asked {
  const as = firstOf(query.as)
  const by = firstOf(query.by)
  const expected = request?.hint?.toLowerCase()
  const found =
    as !== undefined
      ? people[Number(as)]
      : expected !== undefined
        ? people.find(({ username }) => username.toLowerCase() === expected)
        : people.length === 1
          ? people[0]
          : undefined
  const person = found ?? null
  // Whoever has no passkey yet signs in by password, and adds one on the page that follows.
  const needsPasskey = request?.needsPasskey === true && by !== 'password'
  return {
    person,
    others: people.length > 1,
    index: person === null ? null : people.indexOf(person),
    chooses: as === undefined && expected === undefined && !needsPasskey && people.length > 1,
    needsPasskey,
    mayChange: site.passwords,
    asksFor:
      !site.passwords || needsPasskey
        ? 'passkey'
        : by === 'password' || (by === 'passkey' && person)
          ? by
          : person
            ? (person.method ?? 'password')
            : 'either',
  }
}

interface Sender {
  headers: Headers
  request: RequestedSignIn | null
  asked: Asked
}

/** Says why a person must sign in: for an app, or because the page they opened requires it. */
async function signInLead(next: Next, { locale, words }: PageLanguage, { headers, request, asked }: Sender) {
  const { arrivals, appRequest, signIn } = words
  const reason = showsEnding(next) ? null : signInReason(headers)
  const app = await sendingApp(next)
  const why = app === null ? reason && arrivals[reason] : fill(locale, appRequest.signInFor, { app })
  const { needsPasskey, thenAddPasskey } = appRequest
  const asks =
    app !== null && request?.needsPasskey
      ? fill(locale, asked.needsPasskey ? needsPasskey : thenAddPasskey, { app })
      : why
  return [asks, asked.chooses && signIn.choose].filter(Boolean).join(' ')
}
