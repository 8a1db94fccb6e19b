import type { ReactNode } from 'react'
import { CheckIcon } from '@/components/ui/icons/form-icons'
import { Filled } from '@/components/ui/words/filled'
import type { Account, Passkey } from '@/lib/api/schemas'
import { cutsOf } from '@/lib/mark'
import type { Words } from '@/lib/messages/en'
import { AccountChip } from './account-chip'

interface SetupSummaryProps {
  account: Account
  words: Words['welcome']
}

/** Lists what the account has by now. */
export function SetupSummary({
  account: { id, username, hasPassword, passkeys, recoveryCodesLeft },
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
