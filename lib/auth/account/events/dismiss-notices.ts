import { recordedWithinMilliseconds } from '@/lib/activity/notices'
import type { dismissNoticesInput } from '@/lib/api/schemas'
import type { Parsed } from '../../model/request-context'
import type { StepUp } from '../../sessions/step-up'
import { asStepUp } from '../../sessions/write-as-session'
import { limitWrites } from '../../throttling/attempts'
import { notableEventsOfAccount } from './notable-events'

/**
 * Marks the events up to `until` as the owner's. Only a passkey that is older than an event proves that: a stranger may have
 * added a newer one, or have the password or a code.
 */
export async function dismissNotices({
  body: { until },
  stepUp,
}: Parsed<typeof dismissNoticesInput> & { stepUp: StepUp }): Promise<{ everywhere: boolean }> {
  const { user, claims, passkeys } = stepUp.session
  const shown = passkeys.find(({ id }) => id === claims.pk)
  const last = Date.parse(until)
  if (shown) {
    const after = Date.parse(shown.createdAt) + recordedWithinMilliseconds
    const at = { gt: BigInt(after), lte: BigInt(last) }
    await limitWrites('account-writes', stepUp.session, () =>
      asStepUp(stepUp)((db) => ({
        events: db.event.updateMany({ where: { userId: user.id, dismissed: false, at }, data: { dismissed: true } }),
      })),
    )
  }
  const left = await notableEventsOfAccount(user.id)
  return { everywhere: left.every((event) => Date.parse(event.at) > last) }
}
