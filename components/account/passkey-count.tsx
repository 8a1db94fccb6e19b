import { ButtonLink } from '@/components/ui/button'

export function PasskeyCount({ count }: { count: number }) {
  return (
    <section aria-labelledby="passkey-count" className="flex items-center justify-between gap-4 py-4">
      <div className="min-w-0">
        <h3 id="passkey-count" className="text-small text-muted">
          Passkeys
        </h3>
        <p className="font-medium">{count || 'None yet'}</p>
      </div>
      <div className="-mr-4.25 shrink-0">
        <ButtonLink href="/passkeys" look="quiet">
          {count === 0 ? 'Add a passkey' : 'Manage'}
        </ButtonLink>
      </div>
    </section>
  )
}
