import { ApiError } from '@/lib/api/errors'
import { settings } from '@/lib/settings/settings'
import { logIfForged } from '../audit/log-rejection'
import type { RequestContext } from '../model/request-context'
import { daySeconds, nowInSeconds } from '../model/time'
import type { Claims } from '../tokens/claims'
import { isConsumed } from '../tokens/consumed-tokens'
import { issueToken, readToken } from '../tokens/tokens'

export type Invitation = Pick<Claims<'invitation'>, 'jti' | 'exp' | 'groups'>

/** Invitations cannot be revoked, so a leaked old one must have expired. */
export const longestInvitationSeconds = 90 * daySeconds

/** Each token creates one account, which joins `groups`. @param seconds at most `longestInvitationSeconds` */
export function createInvitations(
  count: number,
  seconds: number,
  groups: string[],
): Promise<{ token: string; exp: number }[]> {
  const payload = groups.length > 0 ? { groups: [...new Set(groups)] } : {}
  return Promise.all(Array.from({ length: count }, () => issueToken('invitation', payload, seconds)))
}

/**
 * Call it before anything that reveals whether a username exists or costs a hash. Our signature makes a rate limit needless.
 *
 * @returns the invitation to consume; null if SIGN_UP=open, which consumes none without groups
 */
export async function requireSignUp(token: string | undefined, context: RequestContext): Promise<Invitation | null> {
  const claims = token === undefined ? null : await readToken('invitation', token)
  if (token !== undefined && !claims) await logIfForged(token, context)
  const invitation = requireValidInvitation(claims)
  if (invitation && (await isConsumed(invitation.jti))) throw new ApiError('sign_up_closed')
  return invitation
}

/** Checks again what may have changed since: SIGN_UP, and whether the invitation has expired. */
export function requireValidInvitation(invitation: Invitation | null | undefined): Invitation | null {
  const { signUp } = settings()
  if (signUp === 'open' && !invitation?.groups) return null
  if (signUp === 'closed' || !invitation || invitation.exp <= nowInSeconds()) throw new ApiError('sign_up_closed')
  const { jti, exp, groups } = invitation
  return { jti, exp, ...(groups && { groups }) }
}
