import { setTimeout as pause } from 'node:timers/promises'
import { database } from '@/lib/database/client'
import { migrate } from '@/lib/database/migrate'
import { redis } from '@/lib/rate-limit/redis-connection'
import { isEmbedded } from '@/lib/settings/database-url'
import { settings } from '@/lib/settings/settings'
import { type Finding, originFindings, proxyFindings, rpIdFindings } from './site-findings'

type Examination = [what: string, examine: () => Finding[] | Promise<Finding[]>]

/** What the doctor looks at, in this order. An examination that throws has failed. */
export const examinations: Examination[] = [
  ['settings', examineSettings],
  ['secret', examineSecret],
  ['origin', () => originFindings(settings(), process.env.VERCEL_URL)],
  ['passkeys', () => rpIdFindings(settings())],
  ['https', () => proxyFindings(settings(), process.env.VERCEL === '1')],
  ['backend', examineBackend],
  ['database', unlessFrontEnd(examineDatabase)],
  ['attempts', unlessFrontEnd(examineAttempts)],
  ['clock', unlessFrontEnd(examineClock)],
]

/** A front end deployed apart keeps nothing, so there is nothing to look at. */
function unlessFrontEnd(examine: Examination[1]): Examination[1] {
  return () => (settings().backendUrl ? [] : examine())
}

/** Only a front end has a backend; whether both have one JWT_SECRET shows at the first sign-in, and in the log. */
async function examineBackend(): Promise<Finding[]> {
  const { backendUrl } = settings()
  if (!backendUrl) return []
  const asking = fetch(new URL('/api/health', backendUrl), { signal: AbortSignal.timeout(5_000) })
  const answer = await asking.catch(() => {
    throw new Error(`${backendUrl} cannot be reached; look at BACKEND_URL and at whether the backend runs`)
  })
  if (!answer.ok) throw new Error(`${backendUrl} answers /api/health with ${answer.status}`)
  return [ok(`${backendUrl} is healthy; it needs the same JWT_SECRET, and APP_ORIGIN=${settings().origins[0]}`)]
}

const ok = (line: string): Finding => ({ mark: 'ok', line })
const duration = (seconds: number) => (seconds % 3600 === 0 ? `${seconds / 3600} h` : `${seconds / 60} min`)

function examineSettings(): Finding[] {
  const { sessionSeconds, bcryptCost, userVerification, appName, host, port } = settings()
  return [
    ok(
      `every one is readable: ${appName} at ${host ?? 'all interfaces'}, port ${port}; sessions last ${duration(sessionSeconds)}; bcrypt cost ${bcryptCost}; user verification ${userVerification}`,
    ),
  ]
}

/** Length is checked with the settings; a long key of few different bytes was typed, not drawn. */
function examineSecret(): Finding[] {
  const { secret, databaseUrl } = settings()
  if (new Set(secret).size < 12)
    return [{ mark: 'look', line: 'JWT_SECRET does not look random; make one with: openssl rand -base64 48' }]
  const made = process.env.JWT_SECRET ? 'JWT_SECRET is set' : 'made once and kept beside the embedded database'
  return [ok(`${secret.length} bytes; ${made}${isEmbedded(databaseUrl) ? '' : '; every instance needs the same'}`)]
}

/** Never shows the password that the URL may hold. */
function databaseName(databaseUrl: string): string {
  if (isEmbedded(databaseUrl)) return databaseUrl
  const { host, pathname } = new URL(databaseUrl)
  return `PostgreSQL at ${host}${pathname}`
}

async function examineDatabase(): Promise<Finding[]> {
  const { databaseUrl } = settings()
  try {
    await migrate()
    const db = await database()
    const accounts = await db.user.count()
    return [ok(`${databaseName(databaseUrl)} reached and migrated; ${accounts} accounts`)]
  } catch (error) {
    throw new Error(`${databaseName(databaseUrl)} cannot be used: ${error instanceof Error ? error.message : error}`)
  }
}

/** Where guesses are counted. A Redis that is away is no reason not to start: the database counts until it is there. */
async function examineAttempts(): Promise<Finding[]> {
  const { passwordMax, addressMax, windowMilliseconds } = settings().rateLimit
  const window = duration(windowMilliseconds / 1000)
  const limits = `${passwordMax} per account and ${addressMax} failures per address in ${window}`
  const connection = redis()
  if (!connection) return [ok(`${limits}, counted in the database`)]
  const answers = await untilAnswering(() => connection.read(['latchkey-doctor']))
  connection.close()
  if (answers) return [ok(`${limits}, counted on Redis, which answers`)]
  return [{ mark: 'FAIL', line: 'Redis does not answer; look at REDIS_URL or UPSTASH_REDIS_REST_URL and _TOKEN' }]
}

/** Connecting takes a moment, and nothing is queued meanwhile. */
async function untilAnswering(ask: () => Promise<unknown>): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const answered = await ask().then(
      () => true,
      () => false,
    )
    if (answered) return true
    await pause(100)
  }
  return false
}

/** A token that another instance dates this far ahead of our clock is refused. */
const toleratedMilliseconds = 5_000

/** Tokens and quotas go by the clock, so instances that disagree refuse each other's sessions. */
async function examineClock(): Promise<Finding[]> {
  if (isEmbedded(settings().databaseUrl))
    return [ok(`${new Date().toISOString()}; no other clock here to compare it with, so keep it set by NTP`)]
  const db = await database()
  const asked = Date.now()
  const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT now() AS "now"`
  const off = Math.round((asked + Date.now()) / 2 - Number(row?.now))
  if (Math.abs(off) <= toleratedMilliseconds) return [ok(`within ${Math.abs(off)} ms of the database's`)]
  const line = `${Math.abs(off)} ms ${off > 0 ? 'ahead of' : 'behind'} the database's; set it by NTP, or sessions of one instance fail on another`
  return [{ mark: 'FAIL', line }]
}
