import type { Database } from '@/lib/database/client'
import { unflushed } from '@/lib/database/direct-sql'
import { isGone } from '@/lib/database/errors'
import { sql, statement } from '@/lib/database/fragments'
import { startDelivering } from '@/lib/delivery/delivering'
import { type Claims, rootOf } from '../tokens/claims'
import { isInserted } from './validity'

/**
 * Records that the session signs in to the app. Runs before the code is inserted: if the session ends in between, the app gets
 * no tokens.
 */
export async function recordReachedApp(claims: Claims<'session'>, appId: string): Promise<void> {
  // An operator's command may give the app a back channel and end the session, and this process then delivers what it wrote.
  startDelivering()
  const recording = unflushed.changes`
    INSERT INTO "AppSession" ("rootId", "appId", "userId", "expiresAt")
    VALUES (${rootOf(claims)}, ${appId}, ${claims.sub}, ${BigInt(claims.exp * 1000)})
    ON CONFLICT ("rootId", "appId") DO UPDATE SET "expiresAt" = excluded."expiresAt"`
  await recording.catch((error: unknown) => {
    // Account or app were deleted meanwhile, so there will be no code.
    if (!isGone(error)) throw error
  })
}

/** Until session `sid` expires, which continues the root; changes nothing if the transaction has not inserted its record. */
export const extensionOfReachedApps = (db: Database, rootId: string, sid: string) =>
  statement(
    db,
    sql`
      UPDATE "AppSession" SET "expiresAt" = (SELECT s."expiresAt" FROM "Session" s WHERE s."id" = ${sid})
      WHERE "rootId" = ${rootId} AND ${isInserted(sid)}`,
  )
