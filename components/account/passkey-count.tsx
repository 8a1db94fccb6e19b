import { ButtonLink } from '@/components/ui/button'
import type { Words } from '@/lib/messages/en'

export function PasskeyCount({ count, words }: { count: number; words: Words }) {
  return (
    <section aria-labelledby="passkey-count" className="flex flex-wrap items-center gap-x-4 py-4">
      <div className="min-w-0 flex-[1_1_8rem]">
        <h3 id="passkey-count" className="text-small text-muted">
          {words.account.passkeys}
        </h3>
        <p className="font-medium">{count || words.profile.noPasskeys}</p>
      </div>
      <div className="ms-auto -me-4.25 shrink-0">
        <ButtonLink href="/passkeys" look="quiet">
          {count === 0 ? words.account.addPasskey : words.profile.manage}
        </ButtonLink>
      </div>
    </section>
  )
}
