import type { RequestContext } from './request-context'
import { logSecurityEvent } from './security-log'
import type { StepUp } from './step-up'
import { asSession, type Writer } from './write-as-session'

export async function deleteAccount({ stepUp, context }: { stepUp: StepUp; context: RequestContext }): Promise<void> {
  const { user, claims } = stepUp.session
  await deleteUser(asSession(claims), user.id)
  logSecurityEvent('account_deleted', context, { account: user.id })
}

/** What an account owns goes with it, by foreign keys. */
export async function deleteUser(write: Writer, id: string): Promise<void> {
  await write((db) => [db.user.deleteMany({ where: { id } })])
}
