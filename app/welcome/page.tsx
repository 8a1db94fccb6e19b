import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { loadAccountPage, type PageProps, titleOf } from '@/app/load-page'
import { AccountProvider } from '@/components/account/account-provider'
import { OwnKey } from '@/components/account/own-key'
import { ProtectAccount } from '@/components/account/recovery/protect-account'
import { SignOut } from '@/components/account/sign-out'
import { Username } from '@/components/account/username'
import { ContinueLink } from '@/components/auth/continue-link'
import { ButtonLink } from '@/components/ui/button'
import { CheckIcon } from '@/components/ui/icons/form-icons'
import { CardShell } from '@/components/ui/page/card-shell'
import { Filled } from '@/components/ui/words/filled'
import type { Account, Passkey } from '@/lib/api/schemas'
import { cutsOfAccount } from '@/lib/http/pages/account-key'
import { carryNext, loadDestination } from '@/lib/http/pages/destination'
import type { Words } from '@/lib/messages/en'
import { continueLabel } from '@/lib/messages/format/continue-label'
import { fill } from '@/lib/messages/format/fill'

export const generateMetadata = titleOf((words) => words.welcome.title)

/** For how long an account is new, in milliseconds. */
const newFor = 86_400_000

const isRecent = (at: string | null) => at !== null && Date.now() <= Date.parse(at) + newFor

/** What follows signing up: what was made, what keeps the way in open, and the way on. */
export default async function WelcomePage({ searchParams }: PageProps) {
  const query = await searchParams
  const { language, site, account } = await loadAccountPage(carryNext('/welcome', query.next))
  const { href, app } = await loadDestination('/welcome', query.next)
  // Also while codes are new: creating them refreshes this page, and a redirect would throw away the only copy.
  const isNew = [account.createdAt, account.recoveryCodesMadeAt].some(isRecent)
  if (!isNew) redirect(href)
  const { locale, words } = language
  const { welcome } = words
  return (
    <CardShell
      language={language}
      namespaces={['account', 'profile', 'welcome']}
      query={query}
      site={site}
      title={welcome.title}
      ornament={
        site.logo === null && (
          <OwnKey
            cuts={cutsOfAccount(account.id)}
            caption={words.account.key}
            className="mb-5 flex-col justify-center"
          />
        )
      }
      lead={fill(locale, welcome.lead, { app: site.appName })}
    >
      <AccountProvider account={account} site={site}>
        <SetupSummary account={account} words={welcome} />
        <ProtectAccount />
        {/* Not beside codes that are open: they are gone with this page. */}
        <div className="mt-6 grid gap-2 in-[main:has([data-sheet])]:hidden">
          <ContinueLink href={href} look="primary">
            {continueLabel(language, app)}
          </ContinueLink>
          {href !== '/profile' && (
            <ButtonLink href="/profile" look="quiet">
              {welcome.toProfile}
            </ButtonLink>
          )}
        </div>
        <div className="mt-2 flex justify-center">
          <SignOut supportUrl={site.supportUrl} />
        </div>
      </AccountProvider>
    </CardShell>
  )
}

interface SetupSummaryProps {
  account: Account
  words: Words['welcome']
}

/** What the account has by now. */
function SetupSummary({ account: { username, hasPassword, passkeys, recoveryCodesLeft }, words }: SetupSummaryProps) {
  const [first, second] = passkeys
  const name = (
    <span className="font-medium">
      <Username name={username} />
    </span>
  )
  return (
    <ul className="space-y-3.5">
      <SummaryItem>
        <Filled message={words.account} values={{ username: name }} />
      </SummaryItem>
      {hasPassword && <SummaryItem>{words.password}</SummaryItem>}
      {first && (
        <SummaryItem more={first.backedUp ? words.synced : !second && words.oneDevice}>
          <PasskeySummary passkey={first} words={words} />
        </SummaryItem>
      )}
      {second && <SummaryItem>{words.secondPasskey}</SummaryItem>}
      {/* Not before they are saved. */}
      {recoveryCodesLeft > 0 && (
        <SummaryItem className="in-[main:has([data-sheet])]:hidden">{words.codesSaved}</SummaryItem>
      )}
    </ul>
  )
}

function SummaryItem({
  children,
  more,
  className = '',
}: {
  children: ReactNode
  more?: ReactNode
  className?: string
}) {
  return (
    <li className={`flex gap-3 ${className}`}>
      <span className="mt-0.5 text-accent">
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
