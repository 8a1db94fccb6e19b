import { logSecurityEvent } from '../audit/security-log'
import type { RequestContext } from '../model/request-context'
import type { StepUp } from '../sessions/step-up'
import { asStepUp, type PrivilegedWriter } from '../sessions/write-as-session'

export async function deleteAccount({ stepUp, context }: { stepUp: StepUp; context: RequestContext }): Promise<void> {
  const { user } = stepUp.session
  await deleteUser(asStepUp(stepUp), user.id)
  logSecurityEvent('account_deleted', context, { account: user.id })
}

/** Foreign keys delete what the account owns. */
export async function deleteUser(write: PrivilegedWriter, id: string): Promise<void> {
  await write((db) => [db.user.deleteMany({ where: { id } })])
}
