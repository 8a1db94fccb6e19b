import type { RequestContext } from './request-context'
import { logSecurityEvent } from './security-log'
import type { StepUp } from './step-up'
import { asStepUp, type PrivilegedWriter } from './write-as-session'

export async function deleteAccount({ stepUp, context }: { stepUp: StepUp; context: RequestContext }): Promise<void> {
  const { user } = stepUp.session
  await deleteUser(asStepUp(stepUp), user.id)
  logSecurityEvent('account_deleted', context, { account: user.id })
}

/** What an account owns goes with it, by foreign keys. */
export async function deleteUser(write: PrivilegedWriter, id: string): Promise<void> {
  await write((db) => [db.user.deleteMany({ where: { id } })])
}
