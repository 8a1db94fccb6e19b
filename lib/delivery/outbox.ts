import { randomBytes } from 'node:crypto'
import type { Database } from '@/lib/database/client'
import { type Fragment, sql, statement } from '@/lib/database/fragments'

/** How long an undelivered message is kept, also one that an operator retries: it may hold personal data. */
const keptMilliseconds = 30 * 86_400_000

/**
 * The statement that puts messages into the outbox, for the transaction that makes them true. Call `deliverSoon()` after it.
 * A receiver that is gone (410) gets none.
 *
 * @param messages a SELECT of text: `key` (letters, digits, `-` and `_`; differs between its rows), `type`, `receiver`,
 *   `account` (or null) and `payload` (JSON)
 */
export function enqueue(db: Database, messages: Fragment) {
  const now = Date.now()
  const insertion = sql`
    INSERT INTO "Delivery" ("id", "type", "receiver", "account", "payload", "createdAt", "dueAt", "expiresAt")
    SELECT ${randomBytes(16).toString('hex')} || m."key", m."type", m."receiver", m."account", m."payload",
      ${BigInt(now)}, ${BigInt(now)}, ${BigInt(now + keptMilliseconds)}
    FROM (${messages}) m
    WHERE NOT EXISTS (SELECT 1 FROM "Delivery" g WHERE g."receiver" = m."receiver" AND g."gone")`
  return statement(db, insertion)
}
