import { redirect } from 'next/navigation'
import { loadAccountPage, type PageProps, titleOf } from '@/app/load-page'
import { AccountProvider } from '@/components/account/account-provider'
import { SignedInAs } from '@/components/account/frame/signed-in-as'
import { ProtectAccount } from '@/components/account/protect-account'
import { SuggestEmail } from '@/components/account/settings/email-setting'
import { SetupSummary } from '@/components/account/setup-summary'
import { ContinueLink } from '@/components/auth/continue-link'
import { ButtonLink } from '@/components/ui/button'
import { CardShell } from '@/components/ui/page/card-shell'
import { carryNext, loadDestination } from '@/lib/http/pages/app-requests'
import { cutsOf } from '@/lib/mark'
import { continueLabel } from '@/lib/messages/format/labels'
import { fill } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'

export const generateMetadata = titleOf((words) => words.welcome.title)

/** An account counts as new for so long. */
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
          <SignedInAs
            text={fill(locale, words.account.signedInAs, account)}
            links={[{ href: '/signout', name: words.account.signOut }]}
          />
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
  <div className={`mt-2 grid gap-2 ${notBesideCodes}`}>
    {/* Without codes, leaving is not what to press first. */}
    <ContinueLink href={href} look={hasCodes ? 'primary' : 'quiet'}>
      {continueLabel(language, app)}
    </ContinueLink>
    {/* From an app, there is one way on. */}
    {app === null && href !== '/profile' && (
      <ButtonLink href="/profile" look="quiet">
        {language.words.account.toProfile}
      </ButtonLink>
    )}
  </div>
)
