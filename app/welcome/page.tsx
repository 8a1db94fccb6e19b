import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { loadAccountPage, type PageProps, titleOf } from '@/app/load-page'
import { AccountChip, Username } from '@/components/account/account-chip'
import { AccountProvider, SignedInAs } from '@/components/account/account-provider'
import { ProtectAccount } from '@/components/account/protect-account'
import { SuggestEmail } from '@/components/account/settings/email-setting'
import { ContinueLink } from '@/components/auth/url-fragment'
import { ButtonLink } from '@/components/ui/button'
import { CheckIcon } from '@/components/ui/icons/form-icons'
import { CardShell } from '@/components/ui/page/card-shell'
import { Filled } from '@/components/ui/words/filled'
import type { Account, Passkey } from '@/lib/api/schemas'
import { carryNext, loadDestination } from '@/lib/http/pages/app-requests'
import { cutsOf } from '@/lib/mark'
import { continueLabel } from '@/lib/messages/catalogues'
import type { Words } from '@/lib/messages/en'
import { fill } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'

export const generateMetadata = titleOf((words) => words.welcome.title)

/** How long an account counts as new. */
const newMilliseconds = 86_400_000

/** Hides everything else while the page shows codes, since leaving the page loses them. */
const notBesideCodes = 'in-[main:has([data-sheet])]:hidden'
const besideCodes = 'hidden in-[main:has([data-sheet])]:inline'

const isRecent = (at: string | null) => at !== null && Date.now() <= Date.parse(at) + newMilliseconds

/** Follows signing up: shows the new account, offers recovery codes and a second passkey, and leads on. */
export default async function WelcomePage({ searchParams }: PageProps) {
  const query = await searchParams
  const { language, site, account } = await loadAccountPage(carryNext('/welcome', query.next))
  // Stays while codes are new, too: creating them refreshes this page, and a redirect would throw away the only copy.
  const isNew = [account.createdAt, account.recoveryCodesMadeAt].some(isRecent)
  if (!isNew) redirect(carryNext('/notices', query.next))
  const { href, app } = await loadDestination('/welcome', query.next)
  const { locale, words } = language
  const { welcome } = words
  return (
    <CardShell
      language={language}
      namespaces={['account', 'profile', 'welcome']}
      query={query}
      site={site}
      title={
        <>
          <span className={notBesideCodes}>{welcome.title}</span>
          <span className={besideCodes}>{welcome.codes}</span>
        </>
      }
      cuts={cutsOf(account.id)}
      lead={<span className={notBesideCodes}>{fill(locale, welcome.lead, { app: site.appName })}</span>}
      aside={
        <div className={notBesideCodes}>
          <SignedInAs links={[{ href: '/signout', name: words.account.signOut }]} />
        </div>
      }
    >
      <AccountProvider account={account} site={site}>
        <div className={notBesideCodes}>
          <SetupSummary account={account} words={welcome} />
        </div>
        <ProtectAccount />
        <div className={notBesideCodes}>
          <SuggestEmail />
        </div>
        <WaysOn language={language} href={href} app={app} hasCodes={account.recoveryCodesLeft > 0} />
      </AccountProvider>
    </CardShell>
  )
}

interface WaysOnProps {
  language: PageLanguage
  href: string
  app: string | null
  hasCodes: boolean
}

const WaysOn = ({ language, href, app, hasCodes }: WaysOnProps) => (
  <div className={`grid gap-1 ${hasCodes ? 'mt-6' : 'mt-4 -mb-2.5'} ${notBesideCodes}`}>
    {/* Without codes, leaving is not what to press first. */}
    <ContinueLink href={href} look={hasCodes ? 'primary' : 'quiet'}>
      {/* The first administrator comes from an invitation that leads there. */}
      {href === '/admin' ? language.words.admin.title : continueLabel(language, app)}
    </ContinueLink>
    {/* From an app, there is one way on. */}
    {app === null && href !== '/profile' && (
      <ButtonLink href="/profile" look="quiet">
        {language.words.account.toProfile}
      </ButtonLink>
    )}
  </div>
)

interface SetupSummaryProps {
  account: Account
  words: Words['welcome']
}

/** Lists what the account has by now. */
function SetupSummary({
  account: { id, username, email, hasPassword, passkeys, recoveryCodesLeft },
  words,
}: SetupSummaryProps) {
  const [first, second] = passkeys
  return (
    <>
      <AccountChip username={username} cuts={cutsOf(id)} />
      <ul className="mt-4 space-y-3">
        {hasPassword && <SummaryItem>{words.password}</SummaryItem>}
        {first && (
          <SummaryItem more={first.backedUp ? words.synced : !second && words.oneDevice}>
            <PasskeySummary passkey={first} words={words} />
          </SummaryItem>
        )}
        {second && <SummaryItem>{words.secondPasskey}</SummaryItem>}
        {recoveryCodesLeft > 0 && <SummaryItem>{words.codesSaved}</SummaryItem>}
        {email !== null && (
          <SummaryItem>
            <Username name={email} />
          </SummaryItem>
        )}
      </ul>
    </>
  )
}

function SummaryItem({ children, more }: { children: ReactNode; more?: ReactNode }) {
  return (
    <li className="flex gap-3">
      <span className="mt-0.5 text-success">
        <CheckIcon />
      </span>
      <div className="min-w-0 break-words">
        <p>{children}</p>
        {more && <p className="text-small text-muted">{more}</p>}
      </div>
    </li>
  )
}

const PasskeySummary = ({ passkey: { provider }, words }: { passkey: Passkey; words: Words['welcome'] }) =>
  provider === null ? words.passkey : <Filled message={words.passkeyIn} values={{ provider }} />
