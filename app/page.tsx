import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { loadPage, loadVisitorPage } from '@/app/load-page'
import { Username } from '@/components/account/username'
import { ForgetLink } from '@/components/auth/forget-link'
import { NoScript } from '@/components/auth/no-script'
import { SignInMethods } from '@/components/auth/sign-in-methods'
import { SignUpHint } from '@/components/auth/sign-up-hint'
import { ButtonLink } from '@/components/ui/button'
import { Filled } from '@/components/ui/filled'
import { PasskeyIcon } from '@/components/ui/form-icons'
import { FormShell } from '@/components/ui/form-shell'
import { DeviceIcon, SheetIcon } from '@/components/ui/icons'
import type { Site } from '@/lib/api/site'
import { readFlashMessage } from '@/lib/http/flash-message'
import { passkeyOptions } from '@/lib/http/pages/page-data'
import { afterSignIn } from '@/lib/http/redirects'
import { readRememberedSignIn } from '@/lib/http/remembered-sign-in'
import type { Words } from '@/lib/messages/en'
import { fill } from '@/lib/messages/format'

export async function generateMetadata(): Promise<Metadata> {
  const { headers, language, site } = await loadPage()
  const message = readFlashMessage(headers)
  // The layout's template is for pages below this one.
  return message ? { title: `${language.words.arrivals[message]} · ${site.appName}` } : {}
}

/** The page for visitors: what this is and the ways in, or for somebody known the way in itself. */
export default async function Home() {
  const { headers, language, site } = await loadVisitorPage('/profile')
  const { locale, words } = language
  const message = readFlashMessage(headers)
  const remembered = readRememberedSignIn(headers)
  const { method, username } = remembered
  const shared = { language, site, said: message && words.arrivals[message] }
  if (method === null && username === null)
    return (
      <FormShell
        {...shared}
        namespaces={[]}
        title={fill(locale, words.home.title, { app: site.appName })}
        lead={words.home.lead}
      >
        <WaysIn words={words} signUp={site.signUp} />
        <About words={words.home} />
      </FormShell>
    )
  return (
    <FormShell
      {...shared}
      namespaces={['signIn']}
      title={<Greeting words={words.home} username={username} />}
      aside={
        <>
          <SignUpHint language={language} site={site} next="/profile" />
          <ForgetLink text={username === null ? words.arrivals.forget : words.arrivals.forgetName} />
        </>
      }
    >
      <NoScript text={words.noScript.text} />
      <SignInMethods
        site={site}
        next={afterSignIn(undefined)}
        remembered={remembered}
        afterRecovery="/profile"
        passkeyOptions={await passkeyOptions(headers)}
      />
    </FormShell>
  )
}

function Greeting({ words, username }: { words: Words['home']; username: string | null }) {
  if (username === null) return words.back
  return <Filled message={words.backWithName} values={{ username: <Username name={username} /> }} />
}

function WaysIn({ words, signUp }: { words: Words; signUp: Site['signUp'] }) {
  const isOpen = signUp === 'open'
  return (
    <>
      <div className="grid gap-2.5">
        {isOpen && (
          <ButtonLink href="/signup" look="primary">
            {words.signIn.createAccount}
          </ButtonLink>
        )}
        <ButtonLink href="/signin" look={isOpen ? 'secondary' : 'primary'}>
          {words.forms.signIn}
        </ButtonLink>
      </div>
      {signUp === 'invited' && <p className="mt-3 text-center text-muted">{words.signIn.byInvitation}</p>}
    </>
  )
}

function About({ words }: { words: Words['home'] }) {
  return (
    <ul className="mt-7 space-y-3 border-t border-line pt-6 text-muted">
      <Line icon={<PasskeyIcon />} text={words.signIn} />
      <Line icon={<DeviceIcon />} text={words.sessions} />
      <Line icon={<SheetIcon />} text={words.codes} />
    </ul>
  )
}

function Line({ icon, text }: { icon: ReactNode; text: string }) {
  return (
    <li className="flex gap-3">
      <span className="mt-0.5 text-accent">{icon}</span>
      <p className="min-w-0">{text}</p>
    </li>
  )
}
