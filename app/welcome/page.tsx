import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { loadAccountPage, loadPage } from '@/app/load-page'
import { AccountPage } from '@/components/account/account-page'
import { RecoveryCodesSetting } from '@/components/account/recovery-codes-setting'
import { SignOut } from '@/components/account/sign-out'
import { Username } from '@/components/account/username'
import { ButtonLink } from '@/components/ui/button'
import { Filled } from '@/components/ui/filled'
import { CheckIcon } from '@/components/ui/form-icons'
import { FormShell } from '@/components/ui/form-shell'
import { OwnKey } from '@/components/ui/key'
import type { Account } from '@/lib/api/schemas'
import { cutsOfAccount } from '@/lib/http/pages/account-key'
import { afterSignIn } from '@/lib/http/redirects'
import type { Words } from '@/lib/messages/en'
import { fill } from '@/lib/messages/format'

export const generateMetadata = async (): Promise<Metadata> => ({
  title: (await loadPage()).language.words.welcome.title,
})

/** For how long an account is new, in milliseconds. */
const newFor = 86_400_000

/** What follows signing up: what was made, what keeps the way in open, and the way on. */
export default async function WelcomePage() {
  const { language, site, account } = await loadAccountPage('/welcome')
  if (Date.parse(account.createdAt) + newFor < Date.now()) redirect(afterSignIn(undefined))
  const { locale, words } = language
  const { welcome, profile } = words
  return (
    <FormShell
      language={language}
      namespaces={['account', 'profile']}
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
      <AccountPage account={account} site={site}>
        <ul className="space-y-3.5">
          <Made>
            <Filled
              message={welcome.account}
              values={{
                username: (
                  <span className="font-medium">
                    <Username name={account.username} />
                  </span>
                ),
              }}
            />
          </Made>
          <WayIn account={account} words={welcome} />
        </ul>
        <section className="mt-7 border-t border-line pt-6" aria-labelledby="codes">
          <h2 id="codes" className="font-semibold">
            {welcome.codes}
          </h2>
          <p className="mt-1 text-muted">{welcome.codesText}</p>
          <RecoveryCodesSetting isAside />
        </section>
        {/* Not beside codes that are open: they are gone with this page. */}
        <div className="mt-3 grid gap-2 in-[main:has([data-sheet])]:hidden">
          <ButtonLink href={site.homeUrl ?? '/profile'} look="primary">
            {site.homeUrl === null ? words.account.continue : fill(locale, profile.continueTo, { app: site.appName })}
          </ButtonLink>
          {site.homeUrl !== null && (
            <ButtonLink href="/profile" look="quiet">
              {welcome.toProfile}
            </ButtonLink>
          )}
        </div>
        <div className="mt-2 flex justify-center">
          <SignOut supportUrl={site.supportUrl} />
        </div>
      </AccountPage>
    </FormShell>
  )
}

function Made({ children, more }: { children: ReactNode; more?: ReactNode }) {
  return (
    <li className="flex gap-3">
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

/** How the account was made: its first passkey, or its password. */
function WayIn({ account: { passkeys }, words }: { account: Account; words: Words['welcome'] }) {
  const [passkey] = passkeys
  if (!passkey)
    return (
      <Made
        more={
          <>
            {words.addPasskeyText}{' '}
            <a href="/passkeys" className="inline-block font-medium text-accent hover:underline">
              {words.addPasskey}
            </a>
          </>
        }
      >
        {words.password}
      </Made>
    )
  return (
    <Made more={passkey.backedUp ? words.synced : words.oneDevice}>
      {passkey.provider === null ? (
        words.passkey
      ) : (
        <Filled message={words.passkeyIn} values={{ provider: passkey.provider }} />
      )}
    </Made>
  )
}
