import type { Method, User } from '@/lib/api/schemas'
import { publicUser, type UserRow } from '../model/accounts'
import { isoOfMilliseconds } from '../model/time'
import { type AccessCookie, issueAccessCookie } from '../tokens/access-cookie'
import { type Claims, deviceSeconds, stepUpSeconds } from '../tokens/claims'
import { issueToken } from '../tokens/tokens'
import type { NewSessionRecord, SessionRecord } from './session-records'

/** `seconds` is a token's lifetime; `stepUp` is a token which proves that a credential was shown. */
export interface OpenedSession {
  user: User
  session: { token: string; seconds: number; expiresAt: string }
  device: { token: string; seconds: number }
  access: AccessCookie | null
  stepUp: string | null
}

/**
 * @param device what the browser has shown, if it has signed in to the account before
 * @param iat of the session's token
 */
export async function issueSessionTokens(
  user: UserRow,
  record: NewSessionRecord,
  device: Claims<'device'> | null,
  iat: number,
): Promise<Omit<OpenedSession, 'stepUp'>> {
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

export async function issueStepUp({ id: sid, userId: sub, epoch, method }: SessionRecord): Promise<string> {
  const { token } = await issueToken('step-up', { sub, epoch, sid, amr: [method] }, stepUpSeconds)
  return token
}
