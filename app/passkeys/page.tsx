import { loadAccountPage, titleOf } from '@/app/load-page'
import { AccountShell } from '@/components/account/account-shell'
import { SectionHeading } from '@/components/account/home'
import { PasskeyRow } from '@/components/passkeys/passkey-card'
import { AddPasskey } from '@/components/passkeys/passkey-list'
import { EmptyList } from '@/components/ui/card'
import { PasskeyIcon } from '@/components/ui/icons/form-icons'
import { suspectPasskeys } from '@/lib/activity/notices'
import type { Passkey } from '@/lib/api/schemas'
import { notableEvents, passkeyInUse } from '@/lib/http/pages/load'
import { readNoticeMemory } from '@/lib/http/request/cookies'

export const generateMetadata = titleOf((words) => words.account.passkeys)

export default async function PasskeysPage() {
  const { headers, language, site, signedIn, account } = await loadAccountPage('/passkeys')
  const [inUse, events] = await Promise.all([passkeyInUse(headers), notableEvents(signedIn)])
  const suspects = suspectPasskeys(events, account, readNoticeMemory(headers), inUse)
  const isNew = ({ id }: Passkey) => suspects.includes(id)
  const suspectsFirst = (one: Passkey, other: Passkey) =>
    Number(isNew(other)) - Number(isNew(one)) || timeOf(other).localeCompare(timeOf(one))
  const { account: accountWords, passkeys } = language.words
  return (
    <AccountShell language={language} namespaces={['passkeys']} site={site} account={account}>
      <SectionHeading
        title={accountWords.passkeys}
        lead={account.passkeys.length === 1 ? passkeys.secondText : passkeys.lead}
        language={language}
      />
      <div className="mt-6">
        <AddPasskey />
      </div>
      {account.passkeys.length === 0 && (
        <EmptyList
          icon={<PasskeyIcon />}
          title={passkeys.none}
          text={[passkeys.noneText, account.hasPassword && passkeys.passwordWorks].filter(Boolean).join(' ')}
        />
      )}
      {account.passkeys.length > 0 && (
        <ul className="mt-8 divide-y divide-line rounded-card border border-line bg-surface px-card py-1 shadow-raised">
          {account.passkeys.toSorted(suspectsFirst).map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              inUse={passkey.id === inUse}
              isNew={isNew(passkey)}
              words={language.words.passkeys}
            />
          ))}
        </ul>
      )}
    </AccountShell>
  )
}

/** When it was last needed: a new one stands among those of today. */
const timeOf = ({ createdAt, lastUsedAt }: Passkey) => lastUsedAt ?? createdAt
