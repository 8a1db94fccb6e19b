import { ButtonLink } from '@/components/ui/button'
import { Row } from '@/components/ui/card'
import type { Words } from '@/lib/messages/en'

export function PasskeyCount({ count, words }: { count: number; words: Words }) {
  const controls = (
    <ButtonLink href="/passkeys" look="quiet">
      {count === 0 ? words.account.addPasskey : words.profile.manage}
    </ButtonLink>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: as in Setting.
    <div role="group" aria-labelledby="passkey-count" className="py-3">
      <Row controls={controls}>
        <h3 id="passkey-count" className="text-small text-muted">
          {words.account.passkeys}
        </h3>
        <p className="font-medium">{count || words.profile.noPasskeys}</p>
      </Row>
    </div>
  )
}
