import { Day } from '@/components/day'
import { CloudIcon, DeviceIcon } from '@/components/icons'
import type { Passkey } from '@/lib/client/account'

/** One passkey in the list: what it is called, where it lives, and when it was used. */
export function PasskeyCard({ passkey }: { passkey: Passkey }) {
  const { name, provider, createdAt, lastUsedAt, backedUp } = passkey
  return (
    <li className="flex gap-4 rounded-card border border-line bg-surface p-4 sm:p-5">
      <span className="grid size-10 shrink-0 place-items-center rounded-control bg-accent-wash text-accent">
        {backedUp ? <CloudIcon /> : <DeviceIcon />}
      </span>
      <div className="min-w-0 grow">
        <h2 className="text-title font-semibold break-words">{name}</h2>
        <p className="text-small text-muted">
          {provider && provider !== name && <>{provider} · </>}
          {backedUp ? 'Synced' : 'This device only'}
        </p>
        <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-1 text-small">
          <div>
            <dt className="inline text-muted">Created</dt>
            <dd className="ml-1.5 inline">
              <Day at={createdAt} />
            </dd>
          </div>
          <div>
            <dt className="inline text-muted">Last used</dt>
            <dd className="ml-1.5 inline">{lastUsedAt ? <Day at={lastUsedAt} /> : 'Never'}</dd>
          </div>
        </dl>
      </div>
    </li>
  )
}
