import { ApiError } from '@/lib/api/errors'
import { removePasskeyInput, renamePasskeyInput } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { lockUser } from '../accounts'
import { recordEvent } from '../events'
import type { RequestContext } from '../request-context'
import { requireRecentSession, requireSession } from '../sessions'
import { parse } from '../validation'

/**
 * @param body `{id, name}`
 * @throws ApiError not_signed_in, invalid_request, not_found
 */
export async function renamePasskey(body: unknown, context: RequestContext): Promise<void> {
  const { user } = await requireSession(context.session)
  const { id, name } = parse(renamePasskeyInput, body)
  const db = await database()
  const { count } = await db.passkey.updateMany({ where: { id, userId: user.id }, data: { name } })
  if (count === 0) throw new ApiError('not_found')
}

/**
 * @param body `{id}`
 * @throws ApiError not_signed_in, reauthentication_required, invalid_request, not_found, last_way_in
 */
export async function removePasskey(body: unknown, context: RequestContext): Promise<void> {
  const { user } = await requireRecentSession(context.session)
  const { id } = parse(removePasskeyInput, body)
  if (!(await removeUnlessLast(id, user.id))) {
    const db = await database()
    const exists = await db.passkey.findFirst({ where: { id, userId: user.id }, select: { id: true } })
    throw new ApiError(exists ? 'last_way_in' : 'not_found')
  }
  await recordEvent(user.id, 'passkey_removed', context)
}

/** Locks the account, so that two concurrent requests cannot remove its last two passkeys. */
async function removeUnlessLast(id: string, userId: string): Promise<boolean> {
  const db = await database()
  const [, removed] = await db.$transaction([
    lockUser(db, userId),
    db.$executeRaw`
      DELETE FROM "Passkey" WHERE "id" = ${id} AND "userId" = ${userId} AND (
        EXISTS (SELECT 1 FROM "User" u WHERE u."id" = ${userId} AND u."passwordHash" IS NOT NULL)
        OR EXISTS (SELECT 1 FROM "Passkey" p WHERE p."userId" = ${userId} AND p."id" <> ${id}))`,
  ])
  return removed === 1
}
