import type { Method } from '@/lib/api/schemas'
import { readRows } from '@/lib/database/direct-sql'
import { settings } from '@/lib/settings/settings'
import { readAccessToken } from '../tokens/access-tokens'
import { findSession } from './sessions'

export interface Identity {
  id: string
  username: string
  /** How the session was opened. */
  method: Method
}

/** Unverified. */
export interface Credentials {
  /** May be another app's own. */
  bearer: string | null
  session: string | null
  access: string | null
}

/** `appOrigin` is the requested app's, if the reverse proxy names it. */
export async function identify(
  { bearer, session, access }: Credentials,
  appOrigin: string | null,
): Promise<Identity | null> {
  const found = (await findSession(bearer)) ?? (await findSession(session))
  if (!found) return identifyByAccessCookie(access, appOrigin)
  const { user, claims } = found
  return { id: user.id, username: user.username, method: claims.amr[0] as Method }
}

async function identifyByAccessCookie(token: string | null, appOrigin: string | null): Promise<Identity | null> {
  const { accessCookie } = settings()
  const claims = token === null || !accessCookie ? null : await readAccessToken(token)
  // Apps hold access tokens of their visitors, which must not work as an access cookie at other apps.
  if (!claims || claims.client_id !== accessCookie?.domain) return null
  if (appOrigin !== null && ![claims.aud].flat().includes(appOrigin)) return null
  const user = await findUser(claims.sub)
  return user && { ...user, method: claims.amr[0] as Method }
}

/** Read for each request, so that disabling or deleting an account takes effect at once. */
async function findUser(id: string): Promise<{ id: string; username: string } | null> {
  const [user] = await readRows<{ id: string; username: string }>`
    SELECT u."id", u."username" FROM "User" u WHERE u."id" = ${id} AND NOT u."disabled"`
  return user ?? null
}
