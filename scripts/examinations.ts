import { database } from '@/lib/data/database'
import { isEmbedded } from '@/lib/data/database-file'
import { migrate } from '@/lib/data/migrate'
import { settings } from '@/lib/data/settings'
import { type Finding, originFindings, proxyFindings, rpIdFindings } from './site-findings'

type Examination = [what: string, examine: () => Finding[] | Promise<Finding[]>]

/** What the doctor looks at, in this order. An examination that throws has failed. */
export const examinations: Examination[] = [
  ['settings', examineSettings],
  ['secret', examineSecret],
  ['origin', () => originFindings(settings(), process.env.VERCEL_URL)],
  ['passkeys', () => rpIdFindings(settings())],
  ['https', () => proxyFindings(settings(), process.env.VERCEL === '1')],
  ['database', examineDatabase],
  ['attempts', examineAttempts],
  ['clock', examineClock],
]

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
    const client = await database()
    const accounts = await client.user.count()
    return [ok(`${databaseName(databaseUrl)} reached and migrated; ${accounts} accounts`)]
  } catch (error) {
    throw new Error(`${databaseName(databaseUrl)} cannot be used: ${error instanceof Error ? error.message : error}`)
  }
}

/** Where guesses are counted. */
function examineAttempts(): Finding[] {
  const { loginMax, addressMax, windowMilliseconds } = settings().attempts
  const window = duration(windowMilliseconds / 1000)
  return [ok(`${loginMax} per account and ${addressMax} failures per address in ${window}, counted in the database`)]
}

/** A token that another instance dates this far ahead of our clock is refused. */
const toleratedMilliseconds = 5_000

/** Tokens and quotas go by the clock, so instances that disagree refuse each other's sessions. */
async function examineClock(): Promise<Finding[]> {
  if (isEmbedded(settings().databaseUrl))
    return [ok(`${new Date().toISOString()}; no other clock here to compare it with, so keep it set by NTP`)]
  const client = await database()
  const asked = Date.now()
  const [row] = await client.$queryRaw<{ now: Date }[]>`SELECT now() AS "now"`
  const off = Math.round((asked + Date.now()) / 2 - Number(row?.now))
  if (Math.abs(off) <= toleratedMilliseconds) return [ok(`within ${Math.abs(off)} ms of the database's`)]
  const line = `${Math.abs(off)} ms ${off > 0 ? 'ahead of' : 'behind'} the database's; set it by NTP, or sessions of one instance fail on another`
  return [{ mark: 'FAIL', line }]
}
