import { limits } from '@/lib/api/limits'
import { recordEvent } from '../audit/events'
import type { RequestContext } from '../model/request-context'
import { endedOfAccount } from '../sessions/logouts'
import { endOfRecoveryCodes } from '../sessions/revocation/ended-with-credential'
import type { StepUp } from '../sessions/step-up'
import { asStepUp, type PrivilegedWriter } from '../sessions/write-as-session'
import { writeWithLogouts } from '../sessions/write-with-logouts'
import { limitWrites } from '../throttling/attempts'
import { type Claims, rootOf } from '../tokens/claims'
import { newRecoveryCode } from './code-format'

/** @returns ten codes, of which only digests are stored */
export async function createRecoveryCodes({ stepUp, context }: { stepUp: StepUp; context: RequestContext }) {
  const { user, claims } = stepUp.session
  const codes = await limitWrites('account-writes', stepUp.session, () =>
    replaceCodesOfUser(asStepUp(stepUp), user.id, claims),
  )
  await recordEvent(user.id, 'recovery_codes_made', context, { session: claims })
  return { codes }
}

/** @param session the one that may stay if an old code opened it; null for an operator */
export async function replaceCodesOfUser(
  write: PrivilegedWriter,
  userId: string,
  session: Claims<'session'> | null,
): Promise<string[]> {
  const codes = Array.from({ length: limits.recoveryCodes }, newRecoveryCode)
  const data = codes.map(({ hash }) => ({ hash, userId, rootId: session && rootOf(session) }))
  await writeWithLogouts(write, endedOfAccount(userId), (db) => ({
    oldCodes: db.recoveryCode.deleteMany({ where: { userId } }),
    newCodes: db.recoveryCode.createMany({ data }),
    user: db.user.updateMany({ where: { id: userId }, data: { recoveryCodesMadeAt: new Date() } }),
    // Whoever had the old codes may have signed in with one.
    ...endOfRecoveryCodes(db, userId, session?.jti ?? ''),
  }))
  return codes.map(({ text }) => text)
}
