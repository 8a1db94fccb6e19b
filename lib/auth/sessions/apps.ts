import { inBatches } from '@/lib/database/batches'
import type { Database } from '@/lib/database/client'
import { isGone } from '@/lib/database/errors'
import {
  type Fragment,
  flushed,
  hasWord,
  list,
  readRows,
  type SqlRow,
  sql,
  statement,
  unflushed,
} from '@/lib/database/sql'
import { deliverSoon, startDelivering } from '@/lib/delivery/delivering'
import { enqueue, jsonObject, jsonText } from '@/lib/delivery/outbox'
import { type Claims, referenceOf, rootOf } from '../tokens/claims'
import { asEnded } from './end'
import { isInserted, isValidRow, isValidRowOf } from './find'

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

/*
 * An app's rules for who may use it: its groups, and whether they must sign in with a passkey. They stand here twice, for one
 * person at each use, and in SQL for everybody after a change.
 */

export interface Grouped {
  groups: readonly string[]
}

/** True for a member of one of the groups, and for everybody without any. */
export const isAdmitted = ({ groups }: Grouped, person: Grouped) =>
  groups.length === 0 || groups.some((group) => person.groups.includes(group))

/** Finds the app's rule that excludes a person who signed in by these methods (RFC 8176); null without one. */
export function obstacleOfRules(
  app: Grouped & { requirePasskey: boolean },
  person: Grouped,
  amr: readonly string[],
): 'not_a_member' | 'passkey_required' | null {
  if (!isAdmitted(app, person)) return 'not_a_member'
  return app.requirePasskey && !amr.includes(referenceOf('passkey')) ? 'passkey_required' : null
}

/**
 * Revokes an app's codes and tokens for people whom its rules no longer admit, after a change of the rules or of the people's
 * groups. For good: otherwise a token that nobody used meanwhile would be valid again once the person returns to the group. Until
 * this has run, every use of a token checks the rules.
 *
 * Takes a few codes at a time, and reads them before it writes: reading all codes of an app would hold SQLite's write lock for
 * seconds.
 *
 * @param grants a condition on "Grant" as `g`
 */
export async function endExcluded(grants: Fragment): Promise<void> {
  let after = ''
  await inBatches(async (size) => {
    const found = await readRows<SqlRow<'Code', 'id'>>`
      SELECT c."id" FROM "Code" c WHERE c."id" > ${after} AND ${isExcluded(grants)} ORDER BY c."id" LIMIT ${size}`
    const ids = list(found.map(({ id }) => id))
    const started = performance.now()
    // A person may have returned to the group since they were read.
    await flushed.changes`UPDATE "Code" AS c SET ${asEnded} WHERE c."id" IN (${ids}) AND ${isExcluded(grants)}`
    after = found.at(-1)?.id ?? after
    return { isLast: found.length < size, lockMilliseconds: performance.now() - started }
  })
}

const isExcluded = (grants: Fragment): Fragment => sql`
  NOT c."ended" AND c."grantId" IN (SELECT g."id" FROM "Grant" g WHERE ${grants})
    AND EXISTS (SELECT 1 FROM "Grant" g JOIN "App" a ON a."id" = g."appId"
      WHERE g."id" = c."grantId" AND (${isOutside} OR (a."requirePasskey" AND ${isWithoutPasskey})))`

/** A condition: the person is in none of the app's groups. */
const isOutside: Fragment = sql`
  a."groups" <> '' AND NOT EXISTS (SELECT 1 FROM "Membership" m
    WHERE m."userId" = g."userId" AND ${hasWord(sql`a."groups"`, sql`m."groupName"`)})`

const isWithoutPasskey = sql`NOT ${hasWord(sql`c."amr"`, referenceOf('passkey'))}`
