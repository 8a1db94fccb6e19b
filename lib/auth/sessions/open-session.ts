import { ApiError } from '@/lib/api/errors'
import type { Method, User } from '@/lib/api/schemas'
import { isConsumed } from '@/lib/database/consumed-tokens'
import { recorder } from '@/lib/process/telemetry'
import { recordEvent } from '../audit/events'
import { isDisabled, publicUser, type UserRow, type UserWithEpoch } from '../model/accounts'
import type { RequestContext } from '../model/request-context'
import { isoOfMilliseconds, nowInSeconds } from '../model/time'
import { type AccessCookie, issueAccessCookie } from '../tokens/access-cookie'
import { type Claims, deviceSeconds, stepUpSeconds } from '../tokens/claims'
import { readDevice } from '../tokens/devices'
import { issueToken, readToken } from '../tokens/tokens'
import { type Condition, insertSessionRecord } from './insert-session-record'
import { type NewSessionRecord, newSessionRecord, renewedRecord, type SessionRecord } from './session-records'

/** `seconds` is a token's lifetime; `stepUp` is a token which proves that a credential was shown. */
export interface OpenedSession {
  user: User
  session: { token: string; seconds: number; expiresAt: string }
  device: { token: string; seconds: number }
  access: AccessCookie | null
  stepUp: string | null
}

interface ShownCredential extends Condition {
  method: SessionRecord['method']
  passkeyId?: string | null
  /** False for a passkey that could have verified its user and did not. */
  givesStepUp?: boolean
  userVerified?: boolean
  isNew?: boolean
}

/**
 * Revokes the request's session, too: a planted token must not outlive a sign-in (session fixation).
 *
 * @throws ApiError authentication_failed if the credential was removed meanwhile; account_disabled
 */
export async function openSession(
  user: UserWithEpoch,
  { method, passkeyId = null, userVerified = false, givesStepUp = true, isNew = false, ...condition }: ShownCredential,
  context: RequestContext,
): Promise<OpenedSession> {
  const replaced = context.session === null ? null : await readToken('session', context.session)
  const continued = await continuedSession(replaced, user)
  const record = newSessionRecord(user, { method, passkeyId, userVerified, isNew }, continued, context)
  const { inserted, revoked } = await insertSessionRecord(record, replaced, condition)
  if (!inserted) throw await rejection(user)
  const device = await readDevice(user.id, context)
  // Issued as of when the credential was shown, so that the session has its whole lifetime.
  const opened = await issueTokens(user, record, device, Number(record.openedAt) / 1000)
  if (isNew) recorder()?.count('latchkey.sign_ups', {})
  const isSame = revoked && replaced?.sub === user.id && replaced.epoch === user.sessionEpoch
  const type = isNew ? 'account_created' : isSame ? 'reauthenticated' : 'signed_in'
  await recordEvent(user.id, type, context, {
    method,
    device: device?.jti ?? null,
    newBrowser: !isNew && device === null,
  })
  return { ...opened, stepUp: givesStepUp ? await issueStepUp(record) : null }
}

/** A session that is over has no successor. */
async function continuedSession(replaced: Claims<'session'> | null, user: UserWithEpoch) {
  const continues = replaced?.sub === user.id && replaced.epoch === user.sessionEpoch
  return continues && !(await isConsumed(replaced.jti)) ? replaced : null
}

/** Only after a valid credential: nobody else may learn that the account is disabled. */
const rejection = async ({ id }: UserRow) =>
  new ApiError((await isDisabled(id)) ? 'account_disabled' : 'authentication_failed')

/** Replaces a session that is over. Without a step-up token, since no credential was shown. */
export async function renewSession(
  user: UserRow,
  claims: Claims<'session'>,
  context: RequestContext,
): Promise<OpenedSession> {
  const record = renewedRecord(claims, context)
  const { inserted } = await insertSessionRecord(record, null)
  if (!inserted) throw new ApiError('not_signed_in')
  return { ...(await issueTokens(user, record, await readDevice(user.id, context), nowInSeconds())), stepUp: null }
}

async function issueTokens(user: UserRow, record: NewSessionRecord, device: Claims<'device'> | null, iat: number) {
  const { id: jti, userId: sub, epoch, method, passkeyId, userVerified, openedAt, expiresAt, rootId, signedUp } = record
  const seconds = Number(expiresAt) / 1000 - iat
  const passkey = { ...(passkeyId && { pk: passkeyId }), ...(userVerified && { uv: true as const }) }
  const first = { ...(rootId !== null && { root: rootId }), ...(signedUp !== null && { signed_up: signedUp }) }
  const claims = { sub, epoch, amr: [method] as [Method], auth_time: Number(openedAt) / 1000, ...passkey, ...first }
  const session = await issueToken('session', claims, seconds, { jti, iat })
  // A browser keeps its identity, so that signing in again gives it no further attempts.
  const known = device ? { jti: device.jti } : {}
  const { token } = await issueToken('device', { sub, epoch }, deviceSeconds, known)
  return {
    user: publicUser(user),
    session: { token: session.token, seconds, expiresAt: isoOfMilliseconds(expiresAt) },
    device: { token, seconds: deviceSeconds },
    access: await issueAccessCookie({ ...claims, jti, iat, exp: session.exp }),
  }
}

async function issueStepUp({ id: sid, userId: sub, epoch, method }: SessionRecord): Promise<string> {
  const { token } = await issueToken('step-up', { sub, epoch, sid, amr: [method] }, stepUpSeconds)
  return token
}
