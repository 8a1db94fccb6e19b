import type { Metadata } from 'next'
import { cache } from 'react'
import { findSignedIn, loadAccountPage, loadPage, type PageProps } from '@/app/load-page'
import { AccountShell } from '@/components/account/account-shell'
import { BackLink } from '@/components/account/home'
import { NoticeList, NoticeTitle } from '@/components/account/notices'
import { SecureSteps } from '@/components/account/secure-steps'
import { LiveSessions } from '@/components/account/sessions'
import { AppList } from '@/components/apps/connected-apps'
import { PasskeyRow, SuspectPasskey } from '@/components/passkeys/passkey-card'
import { PasskeyMessages } from '@/components/passkeys/passkey-list'
import { ownActionsSince } from '@/lib/activity/notice-memory'
import {
  latestOf,
  mayHaveIntruder,
  type Notice,
  pendingNotices,
  suspectPasskeys,
  unansweredAdditions,
} from '@/lib/activity/notices'
import type { Account, Passkey } from '@/lib/api/schemas'
import { carryNext, loadDestination } from '@/lib/http/pages/app-requests'
import { allowedApps, liveSessions, notableEvents, passkeyInUse } from '@/lib/http/pages/load'
import { readNoticeMemory } from '@/lib/http/request/cookies'
import { continueLabel } from '@/lib/messages/catalogues'
import type { Namespace, Words } from '@/lib/messages/en'

const loadNotable = cache(async () => {
  const signedIn = await findSignedIn()
  return signedIn ? notableEvents(signedIn) : []
})

/** Loads the notices, once for the page and its title. */
async function loadNotices(): Promise<Notice[]> {
  const signedIn = await findSignedIn()
  if (!signedIn) return []
  return pendingNotices(await loadNotable(), signedIn.account.id, readNoticeMemory(signedIn.headers))
}

/** Titles the page as an alarm if somebody may have got in, else as a check-up. */
const titleFor = (notices: Notice[], { secure, profile }: Words) =>
  mayHaveIntruder(notices) ? secure.title : profile.checkUp

function leadFor(notices: Notice[], { hasPassword }: Account, { secure, notices: words }: Words): string {
  if (notices.length === 0) return secure.calmLead
  if (mayHaveIntruder(notices)) return secure.lead
  return hasPassword ? secure.attemptsLead : words.nothingToGuess
}

export async function generateMetadata(): Promise<Metadata> {
  const { language } = await loadPage()
  return { title: titleFor(await loadNotices(), language.words) }
}

/** The parts of the catalogue that the components inside need. */
const namespaces: readonly Namespace[] = [
  'secure',
  'notices',
  'activity',
  'passkeys',
  'sessions',
  'apps',
  'profile',
  'passwordAdvice',
]

/** In a check-up, a step counts as done if the person did it within this time. */
const recentMilliseconds = 3_600_000

/** Leads through the steps that keep a stranger out of the account. */
export default async function SecurePage({ searchParams }: PageProps) {
  const query = await searchParams
  const { headers, language, site, signedIn, account } = await loadAccountPage(carryNext('/secure', query.next))
  const { href, app } = await loadDestination('/secure', query.next ?? '/profile')
  const [notices, inUse, sessions, { apps }] = await Promise.all([
    loadNotices(),
    passkeyInUse(headers),
    liveSessions(signedIn),
    allowedApps(signedIn),
  ])
  const memory = readNoticeMemory(headers)
  const until = latestOf(notices)
  const isAlarm = notices.length > 0
  const ShownPasskey = isAlarm ? SuspectPasskey : PasskeyRow
  const added = unansweredAdditions(await loadNotable(), account, memory)
  const suspects = suspectPasskeys(await loadNotable(), account, memory, inUse)
  const isNew = ({ id }: Passkey) => suspects.includes(id)
  const rank = (passkey: Passkey) => (isNew(passkey) ? 0 : passkey.id === inUse ? 2 : 1)
  const suspectsFirst = (a: Passkey, b: Passkey) => rank(a) - rank(b)
  return (
    <AccountShell language={language} namespaces={namespaces} query={query} site={site} account={account}>
      {/* Whoever is on the way to an app goes on to it below. */}
      {href === '/profile' && <BackLink href="/profile">{language.words.account.profile}</BackLink>}
      <h1 className="mb-2 text-display font-semibold">{titleFor(notices, language.words)}</h1>
      <SecureSteps
        messages={<PasskeyMessages />}
        intro={
          <>
            <p className="max-w-prose text-lead text-muted">{leadFor(notices, account, language.words)}</p>
            {isAlarm && <WhatHappened notices={notices} words={language.words} />}
          </>
        }
        passkeys={
          <ul className={isAlarm ? 'space-y-3 py-3' : 'divide-y divide-line'}>
            {[...account.passkeys].sort(suspectsFirst).map((passkey) => (
              <ShownPasskey
                key={passkey.id}
                passkey={passkey}
                inUse={passkey.id === inUse}
                isNew={isNew(passkey)}
                heading="h3"
                words={language.words.passkeys}
              />
            ))}
          </ul>
        }
        sessions={<LiveSessions own={account.session} sessions={sessions} isReview />}
        apps={<AppList apps={apps} isSuspect={isAlarm} />}
        hasApps={apps.length > 0}
        mayHaveIntruder={mayHaveIntruder(notices)}
        // The list is only a record: an owner with a notice signs out all other sessions, listed or not.
        hasOtherSessions={isAlarm || sessions.some(({ current }) => !current)}
        done={ownActionsSince(memory, account.id, until || Date.now() - recentMilliseconds)}
        until={until}
        codesAreNew={added.codes}
        next={href}
        continueLabel={href === '/profile' ? language.words.account.toProfile : continueLabel(language, app)}
      />
    </AccountShell>
  )
}

function WhatHappened({ notices, words }: { notices: Notice[]; words: Words }) {
  const isCalm = !mayHaveIntruder(notices)
  return (
    <section
      aria-labelledby="happened"
      className={`mt-5 rounded-card border px-card pt-5 pb-2.5 ${isCalm ? 'border-line bg-surface' : 'border-danger-line bg-danger-wash'}`}
    >
      <NoticeTitle id="happened" isCalm={isCalm}>
        {words.secure.happened}
      </NoticeTitle>
      <NoticeList notices={notices} />
    </section>
  )
}
