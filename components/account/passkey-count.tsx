import { ButtonLink } from '@/components/ui/button'
import type { Words } from '@/lib/messages/en'

export function PasskeyCount({ count, words }: { count: number; words: Words }) {
  return (
    <section aria-labelledby="passkey-count" className="flex items-center justify-between gap-4 py-4">
      <div className="min-w-0">
        <h3 id="passkey-count" className="text-small text-muted">
          {words.account.passkeys}
        </h3>
        <p className="font-medium">{count || words.profile.noPasskeys}</p>
      </div>
      <div className="-me-4.25 shrink-0">
        <ButtonLink href="/passkeys" look="quiet">
          {count === 0 ? words.account.addPasskey : words.profile.manage}
        </ButtonLink>
      </div>
    </section>
  )
}
