import type { UserWithEpoch } from './accounts'
import type { RequestContext } from './request-context'
import { type Claims, deviceSeconds, issueToken, readToken } from './tokens'

/** The device token of a browser that has signed in to the account, in whatever epoch; null if the request has none. */
export async function readDevice(userId: string, { device }: RequestContext): Promise<Claims<'device'> | null> {
  const claims = device === null ? null : await readToken('device', device)
  return claims?.sub === userId ? claims : null
}

/** A device token of the current epoch. A browser keeps its `jti`, or signing in would give it new attempts each time. */
export async function issueDevice(user: Pick<UserWithEpoch, 'id' | 'sessionEpoch'>, context: RequestContext) {
  const known = await readDevice(user.id, context)
  const { token } = await issueToken('device', { sub: user.id, epoch: user.sessionEpoch }, deviceSeconds, known?.jti)
  return { token, seconds: deviceSeconds }
}
