import { createHmac } from 'node:crypto'
import { ApiError } from '@/lib/api/errors'
import type { Database } from '@/lib/database/client'
import { type Fragment, failIf, readRows, type SqlRow, sql, statement } from '@/lib/database/sql'
import { derivedKeys } from '@/lib/settings/keys'
import { dayMilliseconds } from '../time'

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
  statement(db)`
    INSERT INTO "Identifier" ("key", "userId", "username", "email")
    VALUES (${username}, ${id}, ${true}, ${username === email})`,
  ...(email === null || email === username
    ? []
    : [statement(db)`INSERT INTO "Identifier" ("key", "userId", "email") VALUES (${email}, ${id}, ${true})`]),
]

interface IdentifierKeys {
  username: string
  email: string | null
}

export const insertUsername = (db: Database, id: string, key: string) => [
  ...insertIdentifiers(db, id, { username: key, email: null }),
  requireNotRetired(db, key),
]

/** Frees the previous e-mail address. */
export const emailIdentifier = (db: Database, id: string, key: string | null) => [
  ...(key === null ? [] : [insertIdentifier(db, id, key)]),
  statement(db)`
    UPDATE "Identifier" SET "email" = ("key" = ${key ?? ''})
    WHERE "userId" = ${id} AND ("email" OR "key" = ${key ?? ''})`,
  db.identifier.deleteMany({ where: { userId: id, username: false, email: false, former: false } }),
]

/** Inserts unless the account has it, so that another account's violates the unique key. */
export const insertIdentifier = (db: Database, id: string, key: string) => statement(db)`
  INSERT INTO "Identifier" ("key", "userId") SELECT ${key}, ${id}
  WHERE NOT EXISTS (SELECT 1 FROM "Identifier" i WHERE i."key" = ${key} AND i."userId" = ${id})`

export const markAsUsername = (db: Database, id: string, key: string) => statement(db)`
  UPDATE "Identifier" SET "username" = ("key" = ${key}), "former" = ("key" <> ${key})
  WHERE "userId" = ${id} AND ("username" OR "key" = ${key})`

export const ownedUsernames = (userId: string) => ({ userId, OR: [{ username: true }, { former: true }] })

/** Finds the keys of the account's usernames, former ones included; none if the account is gone. */
export async function usernamesOf(db: Database, id: string): Promise<string[]> {
  const rows = await db.identifier.findMany({ where: ownedUsernames(id), select: { key: true } })
  return rows.map(({ key }) => key)
}

/**
 * Part of deleting the account. Fails if it has claimed a username that is not among `keys`, by giving that one a key that is
 * taken: unlike that of `failIf`, the conflict of Prisma's own statement names its table, which tells it from that of the last
 * administrator (operator/guards.ts).
 */
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
function retiredDigests(key: string): [string, ...string[]] {
  const digestUnder = (secretKey: Uint8Array) => createHmac('sha256', secretKey).update(key).digest('base64url')
  const [current, ...previous] = derivedKeys('latchkey/retired-username')
  return [digestUnder(current), ...previous.map(digestUnder)]
}

const retire = (db: Database, key: string) => {
  const [digest] = retiredDigests(key)
  const expiresAt = BigInt(Date.now() + retiredMilliseconds)
  return statement(db)`
    INSERT INTO "RetiredUsername" ("digest", "expiresAt") VALUES (${digest}, ${expiresAt})
    ON CONFLICT ("digest") DO UPDATE SET "expiresAt" = excluded."expiresAt"`
}

/** A condition on "RetiredUsername" as `r`: that it holds this username, and has not expired. */
function isRetired(key: string): Fragment {
  const [current, previous = current] = retiredDigests(key)
  return sql`r."digest" IN (${current}, ${previous}) AND r."expiresAt" > ${BigInt(Date.now())}`
}

/** Fails if the username is retired. It follows the insert of the identifier, which waits for a deletion under way. */
export const requireNotRetired = (db: Database, key: string) =>
  failIf(db, sql`EXISTS (SELECT 1 FROM "RetiredUsername" r WHERE ${isRetired(key)})`)

/* Names that former owners gave up, for operators, who may give them to others. */

/** Takes the username from whoever had it before. */
export const releases = (db: Database, id: string, key: string) => [
  db.identifier.deleteMany({ where: { key, userId: { not: id }, username: false, email: false } }),
  db.retiredUsername.deleteMany({ where: { digest: { in: retiredDigests(key) } } }),
]

/** Finds the usernames among these that `releases()` would take from former owners. A hint, which saves statements. */
export async function releasableUsernames(db: Database, keys: string[]): Promise<Set<string>> {
  const keysByDigest = new Map(keys.flatMap((key) => retiredDigests(key).map((digest) => [digest, key])))
  const [former, retired] = await Promise.all([
    db.identifier.findMany({ where: { key: { in: keys }, username: false, email: false }, select: { key: true } }),
    db.retiredUsername.findMany({ where: { digest: { in: [...keysByDigest.keys()] } }, select: { digest: true } }),
  ])
  return new Set([...former.map(({ key }) => key), ...retired.flatMap(({ digest }) => keysByDigest.get(digest) ?? [])])
}

/* Damage, which only a change of the database by other means can do. */

/** The most faults to report of each kind */
const maxFaults = 100

/** A sentence for each account that its username does not find, or whose names another account could take. */
export const identifierFaults = async (): Promise<string[]> => [...(await unfindableAccounts()), ...(await unclaimed())]

/**
 * Accounts are looked up by the lower-case username, which must match the username. `lower` follows the locale of
 * PostgreSQL's database, and a Turkish one turns I into a dotless i: so `replace` comes first.
 */
async function unfindableAccounts(): Promise<string[]> {
  const rows = await readRows<SqlRow<'User', 'id'>>`
    SELECT "id" FROM "User" WHERE "usernameKey" <> lower(replace("username", 'I', 'i')) ORDER BY "id" LIMIT ${maxFaults}`
  return rows.map(({ id }) => `The account ${id} is not found by its username.`)
}

/** Usernames and e-mail addresses are unique by the rows of Identifier, which an account inserted by other means lacks. */
async function unclaimed(): Promise<string[]> {
  const rows = await readRows<SqlRow<'User', 'id'>>`
    SELECT u."id" FROM "User" u
    WHERE NOT EXISTS (SELECT 1 FROM "Identifier" i WHERE i."key" = u."usernameKey" AND i."userId" = u."id" AND i."username")
      OR (u."email" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "Identifier" i
        WHERE i."key" = lower(replace(u."email", 'I', 'i')) AND i."userId" = u."id" AND i."email"))
    ORDER BY u."id" LIMIT ${maxFaults}`
  return rows.map(
    ({ id }) => `The account ${id} has not claimed its username or e-mail address, so another could have the same.`,
  )
}
