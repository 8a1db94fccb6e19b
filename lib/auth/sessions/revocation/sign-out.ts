import { flushReads } from '@/lib/database/direct-sql'
import { logIfForged } from '../../audit/log-rejection'
import { logSecurityEvent } from '../../audit/security-log'
import type { RequestContext } from '../../model/request-context'
import { type Claims, rootOf } from '../../tokens/claims'
import { consumption, isConsumed } from '../../tokens/consumed-tokens'
import { readToken } from '../../tokens/tokens'
import { endedOfRoots } from '../logouts'
import { unguarded } from '../write-as-session'
import { writeWithLogouts } from '../write-with-logouts'

/** Ignores invalid and already revoked tokens. @returns whether it revoked a session */
export async function signOut({ context }: { context: RequestContext }): Promise<boolean> {
  const claims = context.session === null ? null : await readToken('session', context.session)
  if (!claims) await logIfForged(context.session, context)
  if (!claims || !(await revokeSession(claims))) return false
  logSecurityEvent('signed_out', context, { account: claims.sub })
  return true
}

/** Apps keep their refresh tokens. @returns false if it has ended before */
export async function revokeSession(claims: Claims<'session'>): Promise<boolean> {
  const { sub, epoch, jti } = claims
  // A hint, by which whoever repeats this writes nothing. What is gone for readers alone may be back after a power cut.
  if (await isConsumed(jti)) {
    await flushReads()
    return false
  }
  const { consumed, stood } = await writeWithLogouts(unguarded, endedOfRoots(rootOf(claims)), (db) => ({
    consumed: consumption(db, claims),
    // What ends a session without consuming it begins an epoch. Read after the consumption, which waits for that to commit.
    stood: db.user.count({ where: { id: sub, sessionEpoch: epoch } }),
  }))
  return consumed === 1 && stood === 1
}
