import { database } from './client'

/** For instances whose clock is behind. */
const graceMilliseconds = 60_000

/**
 * Consumes a token. The primary key lets only one of several simultaneous calls succeed.
 *
 * @param id the token's `jti`
 * @param expiresAt the token's `exp`, in seconds since 1970
 * @returns false if it was consumed before
 */
export async function consumeToken(id: string, expiresAt: number): Promise<boolean> {
  const until = BigInt(expiresAt * 1000 + graceMilliseconds)
  const db = await database()
  const inserted = await db.$executeRaw`
    INSERT INTO "SpentToken" ("id", "expiresAt") VALUES (${id}, ${until}) ON CONFLICT DO NOTHING`
  return inserted === 1
}
