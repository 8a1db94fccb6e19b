import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { database, migrate } from '@/lib/database/client'
import { explained } from '@/lib/database/errors'
import { readRows } from '@/lib/database/sql'
import { tryWrite } from '@/lib/database/write-probe'
import { connectRedis } from '@/lib/rate-limit/limiter'
import { databaseFile, isEmbedded, schemaName } from '@/lib/settings/deployment'
import type { Settings } from '@/lib/settings/settings'
import { counted } from '../../support/command-line.mjs'
import { durationText, type Finding, fail, ok, warn } from './finding'

/** Somebody runs the doctor because nothing works, and waits for its answer. */
const longestLockMilliseconds = 4_000

/** Names the database without the password that its URL may contain. */
function databaseName(databaseUrl: string): string {
  if (isEmbedded(databaseUrl)) return databaseUrl
  const { host, pathname } = new URL(databaseUrl)
  return `PostgreSQL at ${host}${pathname}, schema ${schemaName(databaseUrl)},`
}

export async function checkDatabase({ databaseUrl }: Settings): Promise<Finding[]> {
  try {
    await migrate(longestLockMilliseconds)
    const db = await database()
    const accounts = await db.user.count()
    await tryWrite()
    const reached = ok(`${databaseName(databaseUrl)} reached and migrated; ${counted(accounts, 'account')}`)
    return (await isBesidePublic(databaseUrl)) ? [reached, besidePublic] : [reached]
  } catch (thrown) {
    const error = explained(thrown)
    throw new Error(`${databaseName(databaseUrl)} cannot be used: ${error instanceof Error ? error.message : error}`)
  }
}

const besidePublic = warn(
  'the schema public has tables of Latchkey too, with accounts of their own; docs/deploy.md has how to move them',
)

/** Whether DATABASE_URL names a schema, and public holds a Latchkey that was perhaps there before. */
async function isBesidePublic(databaseUrl: string): Promise<boolean> {
  if (isEmbedded(databaseUrl) || schemaName(databaseUrl) === 'public') return false
  const found = await readRows`
    SELECT 1 FROM pg_tables WHERE "schemaname" = 'public' AND "tablename" = 'ConsumedToken'`
  return found.length > 0
}

/** Above this difference instances reject each other's tokens. */
const toleranceMilliseconds = 5_000

/** Tokens and rate limits depend on the clock, and the database's stands in for those of other instances. */
export async function checkClock({ databaseUrl }: Settings): Promise<Finding[]> {
  if (isEmbedded(databaseUrl))
    return [
      ok(`${new Date().toISOString()}; there is no other clock to compare it with, so keep it synchronized by NTP`),
    ]
  const sentAt = Date.now()
  // As a number: a timestamp would arrive without the time zone of the database's sessions, hours off where that is not UTC.
  const [row] = await readRows<{ now: number }>`
    SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS DOUBLE PRECISION) AS "now"`
  const off = Math.round((sentAt + Date.now()) / 2 - Number(row?.now))
  if (Math.abs(off) <= toleranceMilliseconds) return [ok(`within ${Math.abs(off)} ms of the database's`)]
  return [
    fail(
      `${Math.abs(off)} ms ${off > 0 ? 'ahead of' : 'behind'} the database's; synchronize it by NTP, or sessions of one instance fail on another`,
    ),
  ]
}

/** The folder that contains the embedded database and its secret; the files themselves are 0600. Windows has no modes. */
export function checkFiles({ databaseUrl }: Settings): Finding[] {
  if (!isEmbedded(databaseUrl) || process.platform === 'win32') return []
  const folder = dirname(databaseFile(databaseUrl))
  if ((statSync(folder).mode & 0o011) === 0) return [ok(`only its owner can enter ${folder}`)]
  return [
    warn(
      `other users of this machine can enter ${folder}, which contains the database and the secret; unless they should, run: chmod 700 ${folder}`,
    ),
  ]
}

/** An unavailable Redis fails this check although Latchkey starts without it: the database then counts. */
export async function checkRateLimits({ rateLimit }: Settings): Promise<Finding[]> {
  const { passwordMax, addressMax, windowMilliseconds } = rateLimit
  const window = durationText(windowMilliseconds / 1000)
  const limits = `${passwordMax} per account and ${addressMax} failures per address in ${window}`
  const connection = await connectRedis()
  if (!connection) return [ok(`${limits}, counted in the database`)]
  // So many keys that each node of a cluster has some.
  const keys = Array.from({ length: 30 }, (_, n) => `latchkey-doctor-${n}`)
  const failure = await failureOf(() => Promise.all(keys.map((key) => connection.read([key]))))
  connection.close()
  if (failure === null) return [ok(`${limits}, counted in ${connection.name}, which answers`)]
  return [
    fail(
      `${connection.name} does not answer (${failure}); check REDIS_URL, or UPSTASH_REDIS_REST_URL and _TOKEN (on Vercel also KV_REST_API_URL and _TOKEN)`,
    ),
  ]
}

/** Retries while the connection opens, because commands are not queued. Messages of the Redis client have no password. */
async function failureOf(command: () => Promise<unknown>): Promise<string | null> {
  let failure: string | null = null
  for (let attempt = 0; attempt < 20; attempt++) {
    failure = await command().then(
      () => null,
      (error) => (error instanceof Error ? error.message : String(error)),
    )
    if (failure === null) return null
    await pause(100)
  }
  return failure
}
