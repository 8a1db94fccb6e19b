import type { ComponentProps } from 'react'
import { PasskeyEditor } from '@/components/passkeys/passkey-list'
import { ProviderIcon } from '@/components/passkeys/provider-icon'
import { Badge } from '@/components/ui/badge'
import { Key } from '@/components/ui/icons/mark'
import { Moment, When } from '@/components/ui/words/day'
import type { Passkey } from '@/lib/api/schemas'
import { cutsOf } from '@/lib/mark'
import type { Words } from '@/lib/messages/en'

interface Props {
  passkey: Passkey
  /** True if it opened the session */
  inUse: boolean
  heading?: ComponentProps<typeof PasskeyEditor>['heading']
  /** True if a stranger may have added it */
  isNew: boolean
  words: Words['passkeys']
}

/** Shows a passkey of a list to which a stranger may have added one. */
export function SuspectPasskey({ passkey, inUse, heading, isNew, words }: Props) {
  const { id, createdAt, lastUsedAt } = passkey
  return (
    <li
      className={`flex flex-wrap gap-4 rounded-card border p-4 shadow-raised sm:p-5 ${isNew ? 'border-danger-line bg-danger-wash' : 'border-line bg-surface'}`}
    >
      <Key cuts={cutsOf(id)} isForeign={isNew} className={`mt-0.5 h-5 ${isNew ? 'text-danger' : 'text-accent'}`} />
      <div className="min-w-0 grow basis-48">
        <PasskeyEditor
          passkey={passkey}
          inUse={inUse}
          heading={heading}
          isSuspect
          isNew={isNew}
          badge={
            <>
              {isNew && <Badge tone="danger">{words.new}</Badge>}
              {inUse && <Badge tone="accent">{words.yours}</Badge>}
            </>
          }
        >
          <Keeper passkey={passkey} words={words} />
          <dl className="mt-2.5 flex flex-wrap gap-x-8 gap-y-1 text-small">
            <div>
              <dt className="inline text-muted">{words.created}</dt>{' '}
              <dd id={`added-${id}`} className="inline">
                <When at={createdAt} />
              </dd>
            </div>
            {/* One that created the account has been used for this session, if for no sign-in. */}
            {(lastUsedAt || !inUse) && (
              <div>
                <dt className={lastUsedAt ? 'inline text-muted' : 'sr-only'}>{words.lastUsed}</dt>{' '}
                <dd className={lastUsedAt ? 'inline' : 'text-muted'}>
                  {lastUsedAt ? <Moment at={lastUsedAt} /> : words.never}
                </dd>
              </div>
            )}
          </dl>
        </PasskeyEditor>
      </div>
    </li>
  )
}

/** Who keeps the passkey, and its own key: several of one provider are told apart by it, here and after an alarm. */
const Emblem = ({ passkey, isNew }: Pick<Props, 'passkey' | 'isNew'>) => (
  <span className="grid gap-1.5 self-start justify-items-center">
    <ProviderIcon {...passkey} />
    <Key cuts={cutsOf(passkey.id)} isForeign={isNew} className={`h-3 ${isNew ? 'text-danger' : 'text-accent'}`} />
  </span>
)

/** Says who keeps the passkey, and whether it is synced. */
const Keeper = ({ passkey: { name, provider, backedUp }, words }: { passkey: Passkey; words: Words['passkeys'] }) => (
  <p className="text-small text-muted">
    {provider && provider !== name && (
      <>
        <bdi>{provider}</bdi> ·{' '}
      </>
    )}
    {backedUp ? words.synced : words.oneDeviceOnly}
  </p>
)

/** Shows a passkey as a line of a card. */
export function PasskeyRow({ passkey, inUse, heading, isNew, words }: Props) {
  const { createdAt, lastUsedAt } = passkey
  return (
    <li className="flex flex-wrap gap-3.5 py-2.5 sm:gap-4">
      <Emblem passkey={passkey} isNew={isNew} />
      <div className="min-w-0 grow basis-44">
        <PasskeyEditor
          passkey={passkey}
          inUse={inUse}
          heading={heading}
          badge={
            <>
              {isNew && <Badge tone="danger">{words.new}</Badge>}
              {inUse && <Badge tone="accent">{words.usedNow}</Badge>}
            </>
          }
        >
          <Keeper passkey={passkey} words={words} />
          <dl className="flex flex-wrap gap-x-6 text-small text-muted">
            {/* A phone has room for one time: the one that says whether it is still needed, or whose it may be. */}
            <div className={lastUsedAt && !isNew ? 'max-sm:hidden' : ''}>
              <dt className="inline">{words.created}</dt>{' '}
              <dd className="inline">
                <When at={createdAt} />
              </dd>
            </div>
            {(lastUsedAt || !inUse) && (
              <div className={isNew ? 'max-sm:hidden' : ''}>
                <dt className={lastUsedAt ? 'inline' : 'sr-only'}>{words.lastUsed}</dt>{' '}
                <dd className="inline">{lastUsedAt ? <Moment at={lastUsedAt} /> : words.never}</dd>
              </div>
            )}
          </dl>
        </PasskeyEditor>
      </div>
    </li>
  )
}
