import type { Database } from '@/lib/database/client'
import { type Fragment, sql, statement } from '@/lib/database/fragments'
import { deliverSoon } from '@/lib/delivery/delivering'
import { enqueue } from '@/lib/delivery/outbox'
import { isValidRow } from './validity'

export const logoutMessage = 'logout_token'

/** What such a message says; without `root`, all sessions of the account have ended for good. */
export interface LogoutPayload {
  app: string
  root?: string
}

/**
 * The last statements of a transaction that ends sessions: one enqueues logouts for the apps that those sessions reached
 * (OpenID Connect Back-Channel Logout 1.0), one forgets those apps. They read what the transaction leaves, so that no way of
 * ending a session can be reported wrongly. Writes to one account get them from `writeWithLogouts()`.
 *
 * @param accounts whose sessions, by the columns of "AppSession" as `r`
 * @param keptRoot of the session that is renewed after the transaction
 */
export function logoutsOf(db: Database, accounts: Fragment, keptRoot = '') {
  const ended = sql`${accounts} AND r."rootId" <> ${keptRoot} AND r."expiresAt" > ${BigInt(Date.now())}
    AND NOT EXISTS (SELECT 1 FROM "User" u JOIN "Session" s ON ${isValidRow()}
      WHERE u."id" = r."userId" AND COALESCE(s."rootId", s."id") = r."rootId")`
  const messages = sql`
    SELECT CAST(ROW_NUMBER() OVER (ORDER BY r."rootId", r."appId") AS TEXT) AS "key", ${logoutMessage} AS "type",
      a."backChannelUri" AS "receiver", r."userId" AS "account",
      '{"app":"' || r."appId" || '","root":"' || r."rootId" || '"}' AS "payload"
    FROM "AppSession" r JOIN "App" a ON a."id" = r."appId"
    WHERE a."backChannelUri" IS NOT NULL AND ${ended}`
  return {
    logouts: enqueue(db, messages),
    forgottenApps: statement(db, sql`DELETE FROM "AppSession" AS r WHERE ${ended}`),
  }
}

export const ofAccount = (userId: string): Fragment => sql`r."userId" = ${userId}`

/**
 * The first statements of a transaction that ends an account's good standing: they enqueue the end of all its sessions for
 * the apps that it has let in or reached. Call `deliverLogouts()` with the result of `logouts`.
 *
 * @param account which one, by the columns of "User" as `u`; none that nothing changes for
 */
export function logoutsOfAccount(db: Database, userId: string, account = sql`u."id" = ${userId}`) {
  const messages = sql`
    SELECT CAST(ROW_NUMBER() OVER (ORDER BY a."id") AS TEXT) AS "key", ${logoutMessage} AS "type",
      a."backChannelUri" AS "receiver", u."id" AS "account", '{"app":"' || a."id" || '"}' AS "payload"
    FROM "User" u CROSS JOIN "App" a
    WHERE ${account} AND a."backChannelUri" IS NOT NULL
      AND (EXISTS (SELECT 1 FROM "Grant" g WHERE g."userId" = u."id" AND g."appId" = a."id")
        OR EXISTS (SELECT 1 FROM "AppSession" r WHERE r."userId" = u."id" AND r."appId" = a."id"))`
  return { logouts: enqueue(db, messages), forgottenApps: db.appSession.deleteMany({ where: { userId } }) }
}

/** After the commit. @param messages how many the transaction has put into the outbox */
export function deliverLogouts(messages: number): void {
  if (messages > 0) deliverSoon()
}
