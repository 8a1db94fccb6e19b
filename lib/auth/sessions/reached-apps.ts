import type { Database } from '@/lib/database/client'
import { isGone } from '@/lib/database/errors'
import { type Fragment, list, sql, statement, unflushed } from '@/lib/database/sql'
import { deliverSoon, startDelivering } from '@/lib/delivery/delivering'
import { enqueue, jsonObject, jsonText } from '@/lib/delivery/outbox'
import { type Claims, rootOf } from '../tokens/claims'
import { isInserted, isValidRow, isValidRowOf } from './find'

/* The apps that a session has signed in to, which hear of its end. */

export const logoutMessage = 'logout_token'

/** The logout of one session; without `root`, all sessions of the account have ended for good. */
export interface LogoutPayload {
  app: string
  root?: string
}

const payloadOfSession = jsonObject({ app: jsonText(sql`r."appId"`), root: jsonText(sql`r."rootId"`) })
const payloadOfAccount = jsonObject({ app: jsonText(sql`a."id"`) })

/**
 * Builds the last statements of a transaction that ends sessions: logouts for the apps that the sessions reached (OpenID
 * Connect Back-Channel Logout 1.0). They read what the transaction leaves, so that apps hear of every way to end a session.
 *
 * @param hasEnded a condition on "AppSession" as `r`: `hasEndedOfAccounts` or `hasEndedOfRoots`
 */
export function enqueueSessionLogouts(db: Database, hasEnded: Fragment) {
  const messages = sql`
    SELECT CAST(ROW_NUMBER() OVER (ORDER BY r."rootId", r."appId") AS TEXT) AS "key", ${logoutMessage} AS "type",
      a."backChannelUri" AS "receiver", r."userId" AS "account", ${payloadOfSession} AS "payload"
    FROM "AppSession" r JOIN "App" a ON a."id" = r."appId"
    WHERE a."backChannelUri" IS NOT NULL AND ${hasEnded}`
  return {
    logouts: enqueue(db, messages),
    forgottenApps: statement(db)`DELETE FROM "AppSession" AS r WHERE ${hasEnded}`,
  }
}

/**
 * A condition: "AppSession" as `r` is of these accounts, and its root has no valid session any more.
 *
 * @param accounts a condition on "AppSession" as `r`
 */
export const hasEndedOfAccounts = (accounts: Fragment): Fragment => sql`
  ${accounts} AND r."expiresAt" > ${BigInt(Date.now())}
    AND r."rootId" NOT IN (SELECT COALESCE(s."rootId", s."id") FROM "User" u JOIN "Session" s ON ${isValidRow()}
      WHERE u."id" IN (SELECT r."userId" FROM "AppSession" r WHERE ${accounts}))`

export const hasEndedOfAccount = (userId: string): Fragment => hasEndedOfAccounts(sql`r."userId" = ${userId}`)

/** The same for the sessions of these roots, without reading all of the account's. */
export function hasEndedOfRoots(...rootIds: string[]): Fragment {
  const roots = list(rootIds)
  return sql`
    r."rootId" IN (${roots}) AND r."expiresAt" > ${BigInt(Date.now())}
      AND r."rootId" NOT IN (SELECT COALESCE(s."rootId", s."id") FROM "User" u JOIN "Session" s ON ${isValidRowOf(roots)})`
}

/**
 * The first statements of a transaction that disables or deletes an account: logouts for all apps that it has let in or
 * reached.
 *
 * @param account a condition on "User" as `u`, false if nothing changes
 */
export function enqueueAccountLogouts(db: Database, userId: string, account = sql`u."id" = ${userId}`) {
  const messages = sql`
    SELECT CAST(ROW_NUMBER() OVER (ORDER BY a."id") AS TEXT) AS "key", ${logoutMessage} AS "type",
      a."backChannelUri" AS "receiver", u."id" AS "account", ${payloadOfAccount} AS "payload"
    FROM "User" u CROSS JOIN "App" a
    WHERE ${account} AND a."backChannelUri" IS NOT NULL
      AND (EXISTS (SELECT 1 FROM "Grant" g WHERE g."userId" = u."id" AND g."appId" = a."id")
        OR EXISTS (SELECT 1 FROM "AppSession" r WHERE r."userId" = u."id" AND r."appId" = a."id"))`
  return { logouts: enqueue(db, messages), forgottenApps: db.appSession.deleteMany({ where: { userId } }) }
}

/** Delivers logouts. Call it after the commit. @param messages the result of `logouts` */
export function deliverLogouts(messages: number): void {
  if (messages > 0) deliverSoon()
}

/**
 * Records that the session signs in to the app. Call it before the code's insertion: if the session ends in between, the app
 * gets no tokens.
 */
export async function recordReachedApp(claims: Claims<'session'>, appId: string): Promise<void> {
  // A command may give the app a back channel and end the session; this process then delivers the logout.
  startDelivering()
  const recording = unflushed.changes`
    INSERT INTO "AppSession" ("rootId", "appId", "userId", "expiresAt")
    VALUES (${rootOf(claims)}, ${appId}, ${claims.sub}, ${BigInt(claims.exp * 1000)})
    ON CONFLICT ("rootId", "appId") DO UPDATE SET "expiresAt" = excluded."expiresAt"
    WHERE excluded."expiresAt" > "AppSession"."expiresAt"`
  await recording.catch((error: unknown) => {
    // Somebody has deleted the account or the app, so there will be no code.
    if (!isGone(error)) throw error
  })
}

/**
 * Keeps the root's reached apps until session `sid` expires, which continues the root. Changes nothing if the transaction has
 * not inserted the session's record.
 */
export const extensionOfReachedApps = (db: Database, rootId: string, sid: string) =>
  statement(db)`
    UPDATE "AppSession" SET "expiresAt" = (SELECT s."expiresAt" FROM "Session" s WHERE s."id" = ${sid})
    WHERE "rootId" = ${rootId} AND ${isInserted(sid)}`
