import { database } from '@/lib/database/client'
import { isConflict } from '@/lib/database/errors'
import { logSecurityEvent } from '../audit/security-log'
import { retireUsernames, usernamesOf } from '../model/identifiers'
import type { RequestContext } from '../model/request-context'
import { deliverLogouts, enqueueAccountLogouts } from '../sessions/logouts'
import type { StepUp } from '../sessions/step-up'
import { asStepUp, type PrivilegedWriter } from '../sessions/write-as-session'
import { announce, deliverWebhooks, isAccount } from '../webhooks/announce'

export async function deleteAccount({ stepUp, context }: { stepUp: StepUp; context: RequestContext }): Promise<void> {
  const { user } = stepUp.session
  await deleteUser(asStepUp(stepUp), user.id)
  logSecurityEvent('account_deleted', context, { account: user.id })
}

/** Foreign keys delete what the account owns. Its usernames stay taken for a while. */
export async function deleteUser(write: PrivilegedWriter, id: string): Promise<void> {
  const keys = await usernamesOf(await database(), id)
  const deletion = write((db) => ({
    ...enqueueAccountLogouts(db, id),
    announcement: announce(db, 'account.deleted', isAccount(id)),
    usernames: retireUsernames(db, id, keys),
    user: db.user.deleteMany({ where: { id } }),
  }))
  await deletion.then(
    ({ logouts }) => deliverLogouts(logouts),
    (cause: unknown) => {
      // It was renamed meanwhile.
      if (isConflict(cause, 'Identifier')) return deleteUser(write, id)
      throw cause
    },
  )
  deliverWebhooks()
}
