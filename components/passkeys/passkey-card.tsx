import { PasskeyName } from '@/components/passkeys/passkey-name'
import { ProviderIcon } from '@/components/passkeys/provider-icon'
import { Day } from '@/components/ui/day'
import type { Passkey } from '@/lib/api/schemas'

export function PasskeyCard({ passkey }: { passkey: Passkey }) {
  const { name, provider, createdAt, lastUsedAt, backedUp } = passkey
  return (
    <li className="flex gap-4 rounded-card border border-line bg-surface p-4 sm:p-5">
      <ProviderIcon provider={provider} backedUp={backedUp} />
      <div className="min-w-0 grow">
        <PasskeyName passkey={passkey}>
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
        </PasskeyName>
      </div>
    </li>
  )
}
