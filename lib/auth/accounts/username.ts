import { createHmac } from 'node:crypto'
import { ApiError } from '@/lib/api/errors'
import { limits } from '@/lib/api/limits'
import type { changeUsernameInput } from '@/lib/api/schemas'
import { type Database, database, type Statement } from '@/lib/database/client'
import { isConflict } from '@/lib/database/errors'
import { type Fragment, jsonOf, jsonText, readRows, sql, statement } from '@/lib/database/sql'
import { derivedKeys } from '@/lib/settings/keys'
import { recordEvent } from '../audit/events'
import { announce, deliverWebhooks, isAccount } from '../audit/webhooks'
import type { Parsed } from '../request'
import type { StepUp } from '../sessions/step-up'
import { asStepUp, type PrivilegedWriter } from '../sessions/write'
import { consumeAddressAttempt, limitWrites, refundUnlessTaken } from '../throttling/attempts'
import { dayMilliseconds } from '../time'
import { publicUser, type UserRow, usernameKey } from './account'

export async function changeUsername({
  body: { username },
  stepUp,
  context,
}: Parsed<typeof changeUsernameInput> & { stepUp: StepUp }) {
  const { user, claims } = stepUp.session
  if (username === user.username) return { user: publicUser(user) }
  const attempt = await consumeAddressAttempt('address', context.address)
  const { isChanged, user: renamed } = await refundUnlessTaken(attempt, () =>
    limitWrites('account-writes', stepUp.session, () => renameUser(asStepUp(stepUp), user.id, username)),
  )
  if (isChanged) await recordEvent(user.id, 'username_changed', context, { session: claims })
  await attempt.refund()
  return { user: publicUser(renamed) }
}

/**
 * Announces nothing if an equal request came first.
 *
 * @throws ApiError username_taken; invalid_request if the account has had too many
 */
export async function renameUser(
  write: PrivilegedWriter,
  id: string,
  username: string,
  change: UsernameChange = ownersUsernameChange,
): Promise<{ isChanged: boolean; user: UserRow }> {
  const key = usernameKey(username)
  const data = { username, usernameKey: key, renamedAt: BigInt(Date.now()) }
  const names = { username: jsonOf(username), previousUsername: jsonText(sql`u."username"`) }
  const changed = sql`${isAccount(id)} AND u."username" <> ${username}`
  const renaming = write((db) => ({
    announcement: announce(db, 'account.renamed', changed, names),
    renamed: db.user.updateMany({ where: { id, username: { not: username } }, data }),
    identifiers: change.statements(db, id, key),
    user: db.user.findUniqueOrThrow({ where: { id } }),
  }))
  const { renamed, user } = await renaming.catch(async (cause: unknown) => {
    // Write and catch: the unique key admits one of several concurrent claims.
    throw isConflict(cause) ? await change.conflict(await database(), id, cause) : cause
  })
  deliverWebhooks()
  return { isChanged: renamed.count === 1, user }
}

/*
 * Usernames and e-mail addresses share the unique key of Identifier, which decides concurrent claims. Statements follow that
 * of the account's row, in the same order everywhere, so that transactions on PostgreSQL do not deadlock.
 */

/** Rejects a taken key early. A hint: on insert, the unique key decides. */
export async function requireFreeIdentifier(key: string): Promise<void> {
  const taken = await readRows`
    SELECT 1 AS "found" FROM "Identifier" i WHERE i."key" = ${key}
    UNION ALL SELECT 1 FROM "RetiredUsername" r WHERE ${isRetired(key)}`
  if (taken.length > 0) throw new ApiError('username_taken')
}

/** Inserts both names of a new account, which may be the same. */
export const insertIdentifiers = (db: Database, id: string, { username, email }: IdentifierKeys) => [
  db.$executeRaw`
    INSERT INTO "Identifier" ("key", "userId", "username", "email")
    VALUES (${username}, ${id}, ${true}, ${username === email})`,
  ...(email === null || email === username
    ? []
    : [db.$executeRaw`INSERT INTO "Identifier" ("key", "userId", "email") VALUES (${email}, ${id}, ${true})`]),
]

interface IdentifierKeys {
  username: string
  email: string | null
}

export const insertUsername = (db: Database, id: string, key: string) => [
  ...insertIdentifiers(db, id, { username: key, email: null }),
  requireNotRetired(db, key),
]

export interface UsernameChange {
  statements(db: Database, id: string, key: string): Statement[]
  /** The error to answer with when the statements violated a unique key. */
  conflict(db: Database, id: string, cause: unknown): Promise<ApiError>
}

/** The previous username stays the account's. */
export const ownersUsernameChange: UsernameChange = {
  statements: (db, id, key) => [
    requireFewUsernames(db, id, key),
    insertIdentifier(db, id, key),
    markAsUsername(db, id, key),
    requireNotRetired(db, key),
  ],
  async conflict(db, id, cause) {
    const count = await db.identifier.count({ where: ownedUsernames(id) })
    if (count < limits.usernames) return usernameTaken(cause)
    const fields = { username: { key: 'too_many_usernames', max: limits.usernames } } as const
    return new ApiError('invalid_request', { cause, fields })
  },
}

export const usernameTaken = (cause: unknown) => new ApiError('username_taken', { cause })

/** Frees the previous e-mail address. */
export const emailIdentifier = (db: Database, id: string, key: string | null) => [
  ...(key === null ? [] : [insertIdentifier(db, id, key)]),
  db.$executeRaw`
    UPDATE "Identifier" SET "email" = ("key" = ${key ?? ''})
    WHERE "userId" = ${id} AND ("email" OR "key" = ${key ?? ''})`,
  db.identifier.deleteMany({ where: { userId: id, username: false, email: false, former: false } }),
]

/** Inserts unless the account has it, so that another account's violates the unique key. */
export const insertIdentifier = (db: Database, id: string, key: string) => db.$executeRaw`
  INSERT INTO "Identifier" ("key", "userId") SELECT ${key}, ${id}
  WHERE NOT EXISTS (SELECT 1 FROM "Identifier" i WHERE i."key" = ${key} AND i."userId" = ${id})`

export const markAsUsername = (db: Database, id: string, key: string) => db.$executeRaw`
  UPDATE "Identifier" SET "username" = ("key" = ${key}), "former" = ("key" <> ${key})
  WHERE "userId" = ${id} AND ("username" OR "key" = ${key})`

/** Violates the primary key if a username that is new to the account would be too many; operators may have given it more. */
const requireFewUsernames = (db: Database, id: string, key: string) => db.$executeRaw`
  INSERT INTO "Identifier" ("key", "userId") SELECT i."key", i."userId" FROM "Identifier" i
  WHERE i."userId" = ${id}
    AND (SELECT COUNT(*) FROM "Identifier" o
         WHERE o."userId" = ${id} AND (o."username" OR o."former")) >= ${limits.usernames}
    AND NOT EXISTS (SELECT 1 FROM "Identifier" k
                    WHERE k."key" = ${key} AND k."userId" = ${id} AND (k."username" OR k."former"))`

const ownedUsernames = (userId: string) => ({ userId, OR: [{ username: true }, { former: true }] })

/** Finds the keys of the account's usernames, former ones included; none if the account is gone. */
export async function usernamesOf(db: Database, id: string): Promise<string[]> {
  const rows = await db.identifier.findMany({ where: ownedUsernames(id), select: { key: true } })
  return rows.map(({ key }) => key)
}

/** Part of deleting the account. Violates the primary key if it has claimed a username that is not among `keys`. */
export const retireUsernames = (db: Database, id: string, keys: string[]) => [
  db.identifier.updateMany({ where: { ...ownedUsernames(id), key: { notIn: keys } }, data: { key: keys[0] ?? '' } }),
  ...keys.map((key) => retire(db, key)),
]

/** Apps may still know a deleted account's owner by the username. */
const retiredMilliseconds = 90 * dayMilliseconds

/**
 * Digests a name under JWT_SECRET, then under JWT_SECRET_PREVIOUS. They have a key, because somebody with a stolen database could
 * try likely names on plain ones.
 */
export function retiredDigests(key: string): [string, ...string[]] {
  const digestUnder = (secretKey: Uint8Array) => createHmac('sha256', secretKey).update(key).digest('base64url')
  const [current, ...previous] = derivedKeys('latchkey/retired-username')
  return [digestUnder(current), ...previous.map(digestUnder)]
}

const retire = (db: Database, key: string) => {
  const [digest] = retiredDigests(key)
  const expiresAt = BigInt(Date.now() + retiredMilliseconds)
  return db.$executeRaw`
    INSERT INTO "RetiredUsername" ("digest", "expiresAt") VALUES (${digest}, ${expiresAt})
    ON CONFLICT ("digest") DO UPDATE SET "expiresAt" = excluded."expiresAt"`
}

/** A condition on "RetiredUsername" as `r`: that it holds this username, and has not expired. */
function isRetired(key: string): Fragment {
  const [current, previous = current] = retiredDigests(key)
  return sql`r."digest" IN (${current}, ${previous}) AND r."expiresAt" > ${BigInt(Date.now())}`
}

/** Violates the primary key if the username is retired. It follows the insert of the identifier, which waits for a deletion under way. */
const requireNotRetired = (db: Database, key: string) =>
  statement(
    db,
    sql`
      INSERT INTO "RetiredUsername" ("digest", "expiresAt")
      SELECT r."digest", r."expiresAt" FROM "RetiredUsername" r WHERE ${isRetired(key)}`,
  )
