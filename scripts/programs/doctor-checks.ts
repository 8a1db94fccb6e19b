import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { tryReceiver } from '@/lib/auth/webhooks/sender'
import { database } from '@/lib/database/client'
import { migrate } from '@/lib/database/migrate'
import { ReceiverError } from '@/lib/delivery/receiver-error'
import { connectRedis } from '@/lib/rate-limit/redis-connection'
import { databaseFile, isEmbedded, schemaName } from '@/lib/settings/database-url'
import { settings } from '@/lib/settings/settings'
import { counted } from './counted'
import { checkApps } from './doctor-apps'
import {
  appFindings,
  backendFindings,
  brandingFindings,
  type Finding,
  folderFindings,
  originFindings,
  proxyFindings,
  rpIdFindings,
  signUpFindings,
  webhookFindings,
} from './doctor-findings'

type Check = [what: string, check: () => Finding[] | Promise<Finding[]>]

/** Run in this order. A check that throws has failed. */
export const checks: Check[] = [
  ['settings', checkSettings],
  ['secret', checkSecret],
  ['origin', () => originFindings(settings(), process.env.VERCEL_URL)],
  ['passkeys', () => rpIdFindings(settings())],
  ['https', () => proxyFindings(settings())],
  ['apps', () => appFindings(settings())],
  ['branding', () => brandingFindings(settings())],
  ['sign-up', () => signUpFindings(settings())],
  ['backend', () => backendFindings(settings())],
  ['backend', checkBackend],
  ['database', withDatabase(checkDatabase)],
  ['passwords', withDatabase(checkPasswords)],
  ['files', withDatabase(checkFiles)],
  ['rate limits', withDatabase(checkRateLimits)],
  ['sign-in to apps', withDatabase(checkApps)],
  ['webhooks', withDatabase(checkWebhooks)],
  ['clock', withDatabase(checkClock)],
]

/** Skips a check on the front end of a split deployment, which has no database. */
function withDatabase(check: Check[1]): Check[1] {
  return () => (settings().backendUrl ? [] : check())
}

/** Cannot compare the two JWT_SECRETs; if they differ, the first sign-in fails and the log says so. */
async function checkBackend(): Promise<Finding[]> {
  const { backendUrl } = settings()
  if (!backendUrl) return []
  const request = fetch(new URL('/api/health', backendUrl), { signal: AbortSignal.timeout(5_000) })
  const response = await request.catch(() => {
    throw new Error(`${backendUrl} cannot be reached; check BACKEND_URL and whether the backend is running`)
  })
  if (!response.ok) throw new Error(`${backendUrl} answered /api/health with ${response.status}`)
  return [ok(`${backendUrl} is healthy; it must have the same JWT_SECRET and APP_ORIGIN=${settings().origins[0]}`)]
}

const ok = (line: string): Finding => ({ mark: 'ok', line })
const duration = (seconds: number) => (seconds % 3600 === 0 ? `${seconds / 3600} h` : `${seconds / 60} min`)

function checkSettings(): Finding[] {
  const { sessionSeconds, bcryptCost, userVerification, appName, host, port } = settings()
  return [
    ok(
      `valid; ${appName} listens on ${host ?? 'all interfaces'}, port ${port}; sessions last ${duration(sessionSeconds)}; bcrypt cost ${bcryptCost}; user verification ${userVerification}`,
    ),
  ]
}

/** A secret that is too short or does not look random has failed the check of the settings. */
function checkSecret(): Finding[] {
  const { secret, previousSecret, databaseUrl } = settings()
  const origin = process.env.JWT_SECRET ? 'from JWT_SECRET' : 'generated and kept beside the embedded database'
  return [
    ok(`${secret.length} bytes, ${origin}${isEmbedded(databaseUrl) ? '' : '; must be the same on every instance'}`),
    ...(previousSecret ? [ok('JWT_SECRET_PREVIOUS verifies tokens too; remove it when the change is complete')] : []),
  ]
}

/** Without the password that the URL may contain. */
function databaseName(databaseUrl: string): string {
  if (isEmbedded(databaseUrl)) return databaseUrl
  const { host, pathname } = new URL(databaseUrl)
  return `PostgreSQL at ${host}${pathname}, schema ${schemaName(databaseUrl)},`
}

async function checkDatabase(): Promise<Finding[]> {
  const { databaseUrl } = settings()
  try {
    await migrate()
    const db = await database()
    const accounts = await db.user.count()
    const reached = ok(`${databaseName(databaseUrl)} reached and migrated; ${counted(accounts, 'account')}`)
    return (await isBesidePublic(databaseUrl)) ? [reached, besidePublic] : [reached]
  } catch (error) {
    throw new Error(`${databaseName(databaseUrl)} cannot be used: ${error instanceof Error ? error.message : error}`)
  }
}

const besidePublic: Finding = {
  mark: 'warn',
  line: 'the schema public has tables of Latchkey too, with accounts of their own; docs/deploy.md tells how to move them',
}

/** Whether DATABASE_URL names a schema, and public holds a Latchkey that was perhaps there before. */
async function isBesidePublic(databaseUrl: string): Promise<boolean> {
  if (isEmbedded(databaseUrl) || schemaName(databaseUrl) === 'public') return false
  const db = await database()
  const found = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM pg_tables WHERE "schemaname" = 'public' AND "tablename" = 'SpentToken'`
  return found.length > 0
}

/** Without passwords, whoever has nothing else needs a recovery code. */
async function checkPasswords(): Promise<Finding[]> {
  const { passwords, passwordMinLength } = settings()
  if (passwords) return [ok(`new ones have at least ${passwordMinLength} characters`)]
  const db = await database()
  const accounts = await db.user.count({ where: { passwordHash: { not: null }, passkeys: { none: {} } } })
  if (accounts === 0) return [ok('off')]
  const line = `off; locked out without a recovery code: ${counted(accounts, 'account')} with a password and no passkey`
  return [{ mark: 'warn', line }]
}

/** Windows has no modes. */
function checkFiles(): Finding[] {
  const { databaseUrl } = settings()
  if (!isEmbedded(databaseUrl) || process.platform === 'win32') return []
  const folder = dirname(databaseFile(databaseUrl))
  return folderFindings(folder, statSync(folder).mode)
}

/** An unavailable Redis fails this check although Latchkey starts without it: the database then counts. */
async function checkRateLimits(): Promise<Finding[]> {
  const { passwordMax, addressMax, windowMilliseconds } = settings().rateLimit
  const window = duration(windowMilliseconds / 1000)
  const limits = `${passwordMax} per account and ${addressMax} failures per address in ${window}`
  const connection = await connectRedis()
  if (!connection) return [ok(`${limits}, counted in the database`)]
  // So many keys that each node of a cluster has some.
  const keys = Array.from({ length: 30 }, (_, n) => `latchkey-doctor-${n}`)
  const failure = await failureOf(() => Promise.all(keys.map((key) => connection.read([key]))))
  connection.close()
  if (failure === null) return [ok(`${limits}, counted in ${connection.name}, which answers`)]
  const line = `${connection.name} does not answer (${failure}); check REDIS_URL, or UPSTASH_REDIS_REST_URL and _TOKEN`
  return [{ mark: 'FAIL', line }]
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

/** Sends the receiver one event, of a type that there is for this alone. */
async function checkWebhooks(): Promise<Finding[]> {
  const { webhooks, cronSecret, processLives } = settings()
  if (!webhooks) return []
  const status = await tryReceiver().catch((error: unknown) => {
    throw error instanceof ReceiverError ? new Error(`WEBHOOK_URL: ${error.message}`) : error
  })
  return webhookFindings(status, {
    secrets: webhooks.secrets.length,
    hasCron: cronSecret !== undefined || processLives,
  })
}

/** Above this difference instances reject each other's tokens. */
const toleranceMilliseconds = 5_000

/** Tokens and rate limits depend on the clock, and the database's stands in for those of other instances. */
async function checkClock(): Promise<Finding[]> {
  if (isEmbedded(settings().databaseUrl))
    return [
      ok(`${new Date().toISOString()}; there is no other clock to compare it with, so keep it synchronized by NTP`),
    ]
  const db = await database()
  const asked = Date.now()
  const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT now() AS "now"`
  const off = Math.round((asked + Date.now()) / 2 - Number(row?.now))
  if (Math.abs(off) <= toleranceMilliseconds) return [ok(`within ${Math.abs(off)} ms of the database's`)]
  const line = `${Math.abs(off)} ms ${off > 0 ? 'ahead of' : 'behind'} the database's; synchronize it by NTP, or sessions of one instance fail on another`
  return [{ mark: 'FAIL', line }]
}
