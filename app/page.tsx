import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { loadPage, loadVisitorPage } from '@/app/load-page'
import { ButtonLink } from '@/components/ui/button'
import { PasskeyIcon } from '@/components/ui/icons/form-icons'
import { DeviceIcon, SheetIcon } from '@/components/ui/icons/icons'
import { CardShell } from '@/components/ui/page/card-shell'
import type { Site } from '@/lib/api/site'
import { readFlashMessage } from '@/lib/http/visitor/flash-message'
import { readRememberedSignIn } from '@/lib/http/visitor/remembered-sign-in'
import type { Words } from '@/lib/messages/en'
import { fill } from '@/lib/messages/format/fill'

export async function generateMetadata(): Promise<Metadata> {
  const { headers, language, site } = await loadPage()
  const { arrivals, home } = language.words
  const message = readFlashMessage(headers)
  if (message === null) return {}
  // The layout's template is for pages below this one.
  return { title: `${message === 'account_deleted' ? home.deleted : arrivals[message]} · ${site.appName}` }
}

/** The page for visitors: what this is, and the ways in. Somebody known gets the way in itself. */
export default async function Home() {
  const { headers, language, site } = await loadVisitorPage('/profile')
  const { locale, words } = language
  const message = readFlashMessage(headers)
  const { method, username } = readRememberedSignIn(headers)
  // A message is shown once, and this page is where it was sent.
  if ((method ?? username) !== null && message === null) redirect('/signin')
  // Its own title: nobody has "your account" here any more, and what they left is not what to press first.
  const isDeleted = message === 'account_deleted'
  return (
    <CardShell
      language={language}
      namespaces={[]}
      site={site}
      title={isDeleted ? words.home.deleted : fill(locale, words.home.title, { app: site.appName })}
      lead={!isDeleted && words.home.lead}
      flashMessage={isDeleted ? null : message && words.arrivals[message]}
    >
      <WaysIn words={words} signUp={site.signUp} look={isDeleted ? 'secondary' : 'primary'} />
      <About words={words.home} />
    </CardShell>
  )
}

interface WaysInProps {
  words: Words
  signUp: Site['signUp']
  /** Of the first way. */
  look: 'primary' | 'secondary'
}

function WaysIn({ words, signUp, look }: WaysInProps) {
  const isOpen = signUp === 'open'
  return (
    <>
      <div className="grid gap-2.5">
        {isOpen && (
          <ButtonLink href="/signup" look={look}>
            {words.signIn.createAccount}
          </ButtonLink>
        )}
        <ButtonLink href="/signin" look={isOpen ? 'secondary' : look}>
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
