import type { RequestContext } from './request-context'
import { logSecurityEvent } from './security-log'
import { requireStepUp } from './step-up'
import { writeAsSession } from './write-as-session'

/** @throws ApiError not_signed_in, reauthentication_required */
export async function deleteAccount(context: RequestContext): Promise<void> {
  const { user, claims } = await requireStepUp(context)
  await writeAsSession(claims, (db) => [db.user.deleteMany({ where: { id: user.id } })])
  logSecurityEvent('account_deleted', context, { account: user.id })
}
