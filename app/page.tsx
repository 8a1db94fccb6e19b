import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { loadPage, loadVisitorPage } from '@/app/load-page'
import { Username } from '@/components/account/username'
import { ForgetLink } from '@/components/auth/forget-link'
import { ButtonLink } from '@/components/ui/button'
import { Filled } from '@/components/ui/filled'
import { PasskeyIcon } from '@/components/ui/form-icons'
import { FormShell } from '@/components/ui/form-shell'
import { DeviceIcon, SheetIcon } from '@/components/ui/icons'
import { readFlashMessage } from '@/lib/http/flash-message'
import { readRememberedSignIn } from '@/lib/http/remembered-sign-in'
import { fill } from '@/lib/messages/format'

export async function generateMetadata(): Promise<Metadata> {
  const { headers, language, site } = await loadPage()
  const message = readFlashMessage(headers)
  // The layout's template is for pages below this one.
  return message ? { title: `${language.words.arrivals[message]} · ${site.appName}` } : {}
}

/** The page for visitors: what this is, and the ways in. */
export default async function Home() {
  const { headers, language, site } = await loadVisitorPage('/profile')
  const { locale, words } = language
  const { home } = words
  const message = readFlashMessage(headers)
  const { method, username } = readRememberedSignIn(headers)
  const isKnown = method !== null || username !== null
  const asksNew = site.signUp === 'open' && !isKnown
  const back =
    username === null ? (
      home.back
    ) : (
      <Filled message={home.backWithName} values={{ username: <Username name={username} /> }} />
    )
  return (
    <FormShell
      language={language}
      namespaces={[]}
      site={site}
      title={isKnown ? back : fill(locale, home.title, { app: site.appName })}
      lead={home.lead}
      said={message && words.arrivals[message]}
      aside={isKnown && <ForgetLink text={username === null ? words.arrivals.forget : words.arrivals.forgetName} />}
    >
      <div className="grid gap-2.5">
        {asksNew && (
          <ButtonLink href="/signup" look="primary">
            {words.signIn.createAccount}
          </ButtonLink>
        )}
        <ButtonLink href="/signin" look={asksNew ? 'secondary' : 'primary'}>
          {words.forms.signIn}
        </ButtonLink>
        {isKnown && site.signUp === 'open' && (
          <ButtonLink href="/signup" look="quiet">
            {words.signIn.createAccount}
          </ButtonLink>
        )}
      </div>
      {site.signUp === 'invited' && <p className="mt-3 text-center text-muted">{words.signIn.byInvitation}</p>}
      <ul className="mt-7 space-y-3 border-t border-line pt-6 text-muted">
        <Line icon={<PasskeyIcon />} text={home.signIn} />
        <Line icon={<DeviceIcon />} text={home.sessions} />
        <Line icon={<SheetIcon />} text={home.codes} />
      </ul>
    </FormShell>
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
