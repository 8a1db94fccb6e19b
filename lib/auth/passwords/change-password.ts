import { ApiError } from '@/lib/api/errors'
import { recordEvent } from '../audit/events'
import { usernameKey } from '../model/accounts'
import type { Parsed, RequestContext } from '../model/request-context'
import { requireSession, type Session } from '../sessions/find-session'
import { renewal } from '../sessions/insert-session-record'
import type { OpenedSession } from '../sessions/issue-session-tokens'
import { endedOfAccount } from '../sessions/logouts'
import { issueRenewed } from '../sessions/open-session'
import { renewedRecord } from '../sessions/session-records'
import type { StepUp } from '../sessions/step-up'
import { asStepUp } from '../sessions/write-as-session'
import { writeWithLogouts } from '../sessions/write-with-logouts'
import { limitPasswordChanges } from '../throttling/attempts'
import { hashPassword } from './password-hash'
import { type changePasswordRules, requireUnguessable } from './password-rules'
import { verifyUserPassword } from './password-sign-in'

/** Also revokes all sessions of the account and opens a new one. */
export async function changePassword({
  body: { password, currentPassword },
  stepUp,
  context,
}: Parsed<typeof changePasswordRules> & { stepUp: StepUp }): Promise<OpenedSession> {
  const { user, claims } = stepUp.session
  const renewed = renewedRecord({ ...claims, epoch: claims.epoch + 1 }, context)
  await limitPasswordChanges(stepUp.session, async () => {
    await requireUnguessable(password, user.username)
    if (needsCurrentPassword(stepUp)) await requireCurrentPassword(stepUp.session, currentPassword, context)
    const account = usernameKey(user.username)
    // A session that is revoked while it waits for its turn gets no hash.
    const afterWaiting = () => requireSession(context.session)
    const passwordHash = await hashPassword(password, { account, context, isKnown: true, afterWaiting })
    await writeWithLogouts(asStepUp(stepUp), endedOfAccount(user.id), (db) => ({
      user: db.user.update({
        where: { id: user.id },
        data: { passwordHash, passwordSetAt: new Date(), sessionEpoch: renewed.epoch },
        select: { id: true },
      }),
      renewed: renewal(db, renewed),
    }))
  })
  await recordEvent(user.id, 'password_changed', context, { session: claims })
  return issueRenewed(user, renewed, context)
}

/** An unattended browser must not suffice, but an owner with a passkey or recovery code may have forgotten the password. */
const needsCurrentPassword = ({ session, methods }: StepUp) =>
  session.user.hasPassword && methods.every((method) => method === 'pwd')

async function requireCurrentPassword({ user }: Session, currentPassword: string | undefined, context: RequestContext) {
  if (currentPassword === undefined) {
    throw new ApiError('invalid_request', { fields: { currentPassword: { key: 'current_password_missing' } } })
  }
  const { id } = await verifyUserPassword(user.username, currentPassword, context)
  // The username may have moved to another account meanwhile, whose password proves nothing about this one.
  if (id !== user.id) throw new ApiError('authentication_failed')
}
