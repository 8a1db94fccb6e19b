import { ApiError } from '@/lib/api/errors'
import type { revokeAppInput } from '@/lib/api/schemas'
import type { Parsed } from '@/lib/auth/request'
import type { Session } from '@/lib/auth/sessions/find'
import { isoOfMilliseconds } from '@/lib/auth/time'
import { readRows, type SqlInteger } from '@/lib/database/direct-sql'
import { splitSpaced } from '../apps/app'
import { removeGrant } from './grants'

interface AppRow {
  id: string
  name: string
  homeUrl: string | null
  scopes: string
  createdAt: SqlInteger
  lastUsedAt: SqlInteger | null
}

export const listGrantedApps = async ({ session }: { session: Session }) => ({
  apps: await appsOf(session.user.id),
})

export async function appsOf(userId: string) {
  const rows = await readRows<AppRow>`
    SELECT a."id", a."name", a."homeUrl", g."scopes", g."createdAt", g."lastUsedAt"
    FROM "Grant" g JOIN "App" a ON a."id" = g."appId" WHERE g."userId" = ${userId} ORDER BY a."name"`
  return rows.map(({ scopes, createdAt, lastUsedAt, ...app }) => ({
    ...app,
    scopes: splitSpaced(scopes),
    since: isoOfMilliseconds(createdAt),
    lastUsedAt: lastUsedAt === null ? null : isoOfMilliseconds(lastUsedAt),
  }))
}

export async function revokeApp({ body, session, context }: Parsed<typeof revokeAppInput> & { session: Session }) {
  if (!(await removeGrant(session, body.id, context))) throw new ApiError('not_found')
}
