import type { RequestContext } from './request-context'
import { logSecurityEvent } from './security-log'
import { requireStepUp } from './step-up'
import { asSession, type Writer } from './write-as-session'

/** @throws ApiError not_signed_in, reauthentication_required */
export async function deleteAccount(context: RequestContext): Promise<void> {
  const { user, claims } = await requireStepUp(context)
  await deleteUser(asSession(claims), user.id)
  logSecurityEvent('account_deleted', context, { account: user.id })
}

/** What an account owns goes with it, by foreign keys. */
export async function deleteUser(write: Writer, id: string): Promise<void> {
  await write((db) => [db.user.deleteMany({ where: { id } })])
}
