import { recordedWithinMilliseconds, unansweredAdditions } from '@/lib/activity/notices'
import { ApiError } from '@/lib/api/errors'
import { type Database, database } from '@/lib/database/client'
import { statement } from '@/lib/database/sql'
import { usernameKey } from '../account'
import { notableEventsOfAccount } from '../accounts/activity'
import { recordEvent } from '../events/record'
import type { Parsed, RequestContext } from '../request'
import { endOfPassword } from '../sessions/end'
import { requireSession, type Session } from '../sessions/find'
import { issueRenewed, type OpenedSession, renewal, renewedRecord } from '../sessions/issue'
import { hasEndedOfAccount } from '../sessions/reached-apps'
import type { StepUp } from '../sessions/step-up'
import { asStepUp, writeWithLogouts } from '../sessions/write'
import { limitPasswordChanges } from '../throttling/attempts'
import { isoTime } from '../time'
import { rootOf } from '../tokens/claims'
import { hashPassword } from './password-hash'
import { type changePasswordRules, requireUnguessable } from './password-rules'
import { verifyUserPassword } from './password-sign-in'

/**
 * Sets a new password, revokes all sessions of the account and opens a new one. Removes passkeys and codes that a thief of the
 * old password may have added, which would let the thief in again.
 */
export async function changePassword({
  body: { password, currentPassword, ...keep },
  stepUp,
  context,
}: Parsed<typeof changePasswordRules> & { stepUp: StepUp }): Promise<OpenedSession> {
  stepUp.requireForWaysIn()
  const { user, claims } = stepUp.session
  const renewed = renewedRecord({ ...claims, epoch: claims.epoch + 1 }, context)
  const removed = await limitPasswordChanges(stepUp.session, async () => {
    await requireUnguessable(password, user.username)
    if (needsCurrentPassword(stepUp)) await requireCurrentPassword(stepUp.session, currentPassword, context)
    const account = usernameKey(user.username)
    // Checks the session after waiting, so that one that ended in the queue gets no hash.
    const afterWaiting = () => requireSession(context.session)
    const passwordHash = await hashPassword(password, { account, context, isKnown: true, afterWaiting })
    // A first password replaces none that somebody could have known.
    const kept = user.hasPassword ? await keptCredentials(stepUp.session, keep) : null
    const ofOthers = { userId: user.id, OR: [{ rootId: null }, { rootId: { not: rootOf(claims) } }] }
    const { passkeys } = await writeWithLogouts(asStepUp(stepUp), hasEndedOfAccount(user.id), (db) => ({
      // Names those that stay, so that one that somebody adds meanwhile goes, too.
      passkeys: kept ? db.passkey.deleteMany({ where: { ...ofOthers, id: { notIn: kept.passkeys } } }) : undefined,
      codes: kept?.codes
        ? db.recoveryCode.deleteMany({ where: { ...ofOthers, hash: { notIn: kept.codes } } })
        : undefined,
      user: db.user.update({
        where: { id: user.id },
        data: { passwordHash, passwordSetAt: new Date(), sessionEpoch: renewed.epoch },
        select: { id: true },
      }),
      renewed: renewal(db, renewed),
    }))
    return passkeys?.count ?? 0
  })
  for (let count = 0; count < removed; count++)
    await recordEvent(user.id, 'passkey_removed', context, { session: claims })
  await recordEvent(user.id, 'password_changed', context, { session: claims })
  return issueRenewed(user, renewed, context, stepUp)
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

type Keep = Pick<Parsed<typeof changePasswordRules>['body'], 'keepPasskeys' | 'keepRecoveryCodes'>

/**
 * Finds what stays: credentials that this session's own lineage added, those that the person names, and those whose addition the
 * person has seen and not disowned. Any other may be a thief's.
 *
 * @returns the ids of the passkeys and the hashes of the recovery codes; null for the codes if all stay
 */
async function keptCredentials({ user, claims }: Session, { keepPasskeys = [], keepRecoveryCodes }: Keep) {
  const db = await database()
  const where = { userId: user.id }
  const lately = Date.now() - recordedWithinMilliseconds
  const recorded = { userId: user.id, type: 'passkey_added', at: { gte: BigInt(lately) } }
  const [events, lateEvents, passkeys, codes] = await Promise.all([
    notableEventsOfAccount(user.id),
    db.event.findMany({ where: recorded, select: { at: true } }),
    db.passkey.findMany({ where, select: { id: true, createdAt: true, rootId: true } }),
    db.recoveryCode.findMany({ where, select: { hash: true, rootId: true } }),
  ])
  const dated = passkeys.map(({ id, createdAt }) => ({ id, createdAt: isoTime(createdAt) }))
  const unanswered = unansweredAdditions(events, { id: user.id, passkeys: dated }, null)
  const isOwn = ({ rootId }: { rootId: string | null }) => rootId === null || rootId === rootOf(claims)
  // A passkey that was added this moment has no event yet.
  const isNew = (createdAt: Date) =>
    createdAt.getTime() > lately && !lateEvents.some(({ at }) => Number(at) >= createdAt.getTime())
  const staying = (passkey: (typeof passkeys)[number]) =>
    passkey.id === claims.pk ||
    isOwn(passkey) ||
    !(unanswered.passkeys.includes(passkey.id) || isNew(passkey.createdAt))
  return {
    passkeys: [...keepPasskeys, ...passkeys.filter(staying).map(({ id }) => id)],
    codes: keepRecoveryCodes ? null : codes.filter((code) => isOwn(code) || !unanswered.codes).map(({ hash }) => hash),
  }
}

/** Removes the password and revokes the other sessions that it opened. Does nothing if there is none. */
export async function removePassword({ stepUp, context }: { stepUp: StepUp; context: RequestContext }): Promise<void> {
  const { user, claims } = stepUp.session
  // Writes only if there is a password, since no limit counts removals.
  if (user.hasPassword && (await remove(stepUp)))
    return recordEvent(user.id, 'password_removed', context, { session: claims })
  const passkeys = await (await database()).passkey.count({ where: { userId: user.id } })
  if (passkeys === 0) throw new ApiError('last_way_in')
}

async function remove(stepUp: StepUp): Promise<boolean> {
  const { user, claims } = stepUp.session
  const { removed } = await writeWithLogouts(asStepUp(stepUp), hasEndedOfAccount(user.id), (db) => ({
    removed: removalUnlessLast(db, user.id),
    // Ends sessions in the same transaction: a thief of the password must not stay signed in once it is gone.
    ...endOfPassword(db, user.id, claims.jti),
  }))
  return removed === 1
}

/** Recovery codes do not count, because they run out. The account's lock keeps the last passkey from going meanwhile. */
const removalUnlessLast = (db: Database, id: string) => statement(db)`
  UPDATE "User" SET "passwordHash" = NULL, "passwordSetAt" = NULL
  WHERE "id" = ${id} AND "passwordHash" IS NOT NULL
    AND EXISTS (SELECT 1 FROM "Passkey" p WHERE p."userId" = ${id})`
