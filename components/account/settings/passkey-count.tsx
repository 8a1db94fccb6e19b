import { ButtonLink } from '@/components/ui/button'
import { Row } from '@/components/ui/card'
import { fill } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'

export function PasskeyCount({ count, language: { locale, words } }: { count: number; language: PageLanguage }) {
  const { noPasskeys, passkeyCount } = words.profile
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
        <p className="font-medium">{count === 0 ? noPasskeys : fill(locale, passkeyCount, { count })}</p>
      </Row>
    </div>
  )
}
