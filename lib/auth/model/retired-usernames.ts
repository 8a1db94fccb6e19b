import { createHmac } from 'node:crypto'
import type { Database } from '@/lib/database/client'
import { type Fragment, sql, statement } from '@/lib/database/fragments'
import { derivedKeys } from '@/lib/settings/secret/secrets-in-use'
import { dayMilliseconds } from './time'

/** Apps may still know a deleted account's owner by the username. */
const retiredMilliseconds = 90 * dayMilliseconds

/** Under JWT_SECRET, then under JWT_SECRET_PREVIOUS. Keyed, because likely names can be tried out. */
export function retiredDigests(key: string): [string, ...string[]] {
  const digestUnder = (secretKey: Uint8Array) => createHmac('sha256', secretKey).update(key).digest('base64url')
  const [current, ...previous] = derivedKeys('latchkey/retired-username')
  return [digestUnder(current), ...previous.map(digestUnder)]
}

export const retire = (db: Database, key: string) => {
  const [digest] = retiredDigests(key)
  const expiresAt = BigInt(Date.now() + retiredMilliseconds)
  return db.$executeRaw`
    INSERT INTO "RetiredUsername" ("digest", "expiresAt") VALUES (${digest}, ${expiresAt})
    ON CONFLICT ("digest") DO UPDATE SET "expiresAt" = excluded."expiresAt"`
}

/** A condition on "RetiredUsername" as `r`: that it holds this username, and has not expired. */
export function isRetired(key: string): Fragment {
  const [current, previous = current] = retiredDigests(key)
  return sql`r."digest" IN (${current}, ${previous}) AND r."expiresAt" > ${BigInt(Date.now())}`
}

/** Violates the primary key if the username is retired. It follows the insert of the identifier, which waits for a deletion under way. */
export const requireNotRetired = (db: Database, key: string) =>
  statement(
    db,
    sql`
      INSERT INTO "RetiredUsername" ("digest", "expiresAt")
      SELECT r."digest", r."expiresAt" FROM "RetiredUsername" r WHERE ${isRetired(key)}`,
  )
