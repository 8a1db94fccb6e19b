import type { Method } from '@/lib/api/schemas'
import { readRows } from '@/lib/database/direct-sql'
import { settings } from '@/lib/settings/settings'
import { groupsAggregate, parseGroups } from '../model/groups'
import { readAccessCookie } from '../tokens/access-cookie'
import type { Claims } from '../tokens/claims'
import { findSession } from './find-session'
import { recordSessionUse } from './last-use'
import { isValid } from './validity'

interface Identity {
  id: string
  username: string
  groups: string[]
  method: Method
}

/** Unverified. */
export interface ShownTokens {
  /** May be another app's own. */
  bearer: string | null
  session: string | null
  access: string | null
}

export async function identify(
  { bearer, session, access }: ShownTokens,
  appOrigin: string | null,
): Promise<Identity | null> {
  const found = (await findSession(bearer)) ?? (await findSession(session))
  if (!found) return identifyByAccessCookie(access, appOrigin)
  const { user, claims } = found
  return { id: user.id, username: user.username, groups: user.groups, method: claims.amr[0] }
}

async function identifyByAccessCookie(token: string | null, appOrigin: string | null): Promise<Identity | null> {
  const { accessCookie } = settings()
  if (token === null || !accessCookie || (appOrigin !== null && !accessCookie.origins.includes(appOrigin))) return null
  const claims = await readAccessCookie(token)
  if (!claims) return null
  const user = await findUserOfCookie(claims)
  return user && { ...user, method: claims.amr[0] }
}

/** A copied cookie is worth nothing once its session has ended. */
async function findUserOfCookie({
  sub,
  epoch,
  sid,
  pk,
  auth_time,
}: Claims<'access'>): Promise<Omit<Identity, 'method'> | null> {
  const [user] = await readRows<{ id: string; username: string; groups: string | null }>`
    SELECT u."id", u."username", ${groupsAggregate} AS "groups"
    FROM "User" u WHERE u."id" = ${sub} AND ${isValid({ id: sid, epoch, passkeyId: pk ?? null })}`
  if (user) recordSessionUse(sid, auth_time)
  return user ? { ...user, groups: parseGroups(user.groups) } : null
}
