import { database } from './client'

/** Kept a little past its expiry, so that an instance whose clock is behind still finds it. */
const graceMilliseconds = 60_000

/**
 * Uses up a token. The primary key decides between any number of simultaneous attempts.
 *
 * @param id the token's `jti`
 * @param expiresAt seconds since 1970, the token's `exp`
 * @returns false if it was spent before
 */
export async function consumeToken(id: string, expiresAt: number): Promise<boolean> {
  const until = BigInt(expiresAt * 1000 + graceMilliseconds)
  const db = await database()
  const inserted = await db.$executeRaw`
    INSERT INTO "SpentToken" ("id", "expiresAt") VALUES (${id}, ${until}) ON CONFLICT DO NOTHING`
  return inserted === 1
}
