import { loadAccountPage, titleOf } from '@/app/load-page'
import { AccountShell } from '@/components/account/account-shell'
import { SectionHeading } from '@/components/account/home'
import { DeleteAccount, NameSetting } from '@/components/account/settings/account-settings'
import { EmailSetting } from '@/components/account/settings/email-setting'
import { Rows } from '@/components/ui/card'
import { Day } from '@/components/ui/words/day'
import { Filled } from '@/components/ui/words/filled'
import { listed } from '@/lib/messages/format/text'

export const generateMetadata = titleOf((words) => words.profile.aboutYou)

const path = '/profile/about-you'

/** What apps learn of a person, and the end of the account. */
export default async function AboutYouPage() {
  const { language, site, account } = await loadAccountPage(path)
  const { profile } = language.words
  return (
    <AccountShell language={language} namespaces={['profile']} site={site} account={account}>
      <SectionHeading title={profile.aboutYou} language={language} />
      <section aria-labelledby="account" className="rounded-card border border-line bg-surface shadow-raised">
        <h2 id="account" className="sr-only">
          {language.words.account.navigation}
        </h2>
        <Rows>
          <NameSetting />
          <EmailSetting />
          {account.groups.length > 0 && (
            <div className="py-3">
              <h3 className="text-small text-muted">{profile.groups}</h3>
              <p className="font-medium break-words" translate="no">
                {listed(language.locale, account.groups)}
              </p>
              <p className="text-small text-muted">{profile.groupsAbout}</p>
            </div>
          )}
        </Rows>
      </section>
      <div className="mt-10 px-card">
        <h2 className="text-title font-semibold">{profile.deleteAccount}</h2>
        <p className="mt-1 max-w-prose text-muted">{profile.deleteAbout}</p>
        <DeleteAccount />
        <p className="mt-6 text-small text-muted">
          <Filled message={profile.memberSince} values={{ date: <Day at={account.createdAt} /> }} />
        </p>
      </div>
    </AccountShell>
  )
}
