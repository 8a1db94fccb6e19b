// `npm run doctor`: reports whether Latchkey can start here, and what its settings mean. Exits with 1 if a line begins
// with FAIL.
import { resolve } from 'node:path'
import { declareOwnFolder } from '@/lib/process/files'
import { loadEnvFiles } from '@/lib/settings/env-files.mjs'
import { entriesOf } from '@/lib/settings/fields'
import { faultsOf, type Settings, SettingsError, settings } from '@/lib/settings/settings'
import { readOptions } from '../support/command-line.mjs'
import {
  checkAppFile,
  checkBackend,
  checkBackendUrl,
  checkClientDocuments,
  checkListedApps,
  checkMail,
  checkRegisteredApps,
  checkWebhooks,
} from './doctor/connections'
import { type Finding, fail } from './doctor/finding'
import {
  checkBranding,
  checkHttps,
  checkOrigins,
  checkPasskeys,
  checkPasswords,
  checkSecret,
  checkSettings,
  checkSignUp,
  isIp,
} from './doctor/settings'
import { checkClock, checkDatabase, checkFiles, checkRateLimits } from './doctor/storage'

type Check = (settings: Settings) => Finding[] | Promise<Finding[]>

/** Skips a check on the front end of a split deployment, which has no database. */
const withDatabase =
  (check: Check): Check =>
  (settings) =>
    settings.backendUrl ? [] : check(settings)

/**
 * The checks in the order in which they run, each with its name in the report. A check that throws has failed. One that `needs`
 * the database is skipped once that has failed: it would wait for it again and fail for the same reason.
 *
 * @param mailTo gets a letter
 */
const checksWith = (mailTo: string | null): [what: string, check: Check, needs?: 'database'][] => [
  ['settings', checkSettings],
  ['secret', checkSecret],
  ['origin', checkOrigins],
  ['passkeys', checkPasskeys],
  ['https', checkHttps],
  ['apps', checkListedApps],
  ['branding', checkBranding],
  ['sign-up', checkSignUp],
  ['backend', checkBackendUrl],
  ['backend', checkBackend],
  ['database', withDatabase(checkDatabase)],
  ['passwords', withDatabase(checkPasswords), 'database'],
  ['files', withDatabase(checkFiles)],
  ['rate limits', withDatabase(checkRateLimits)],
  ['file of apps', withDatabase(checkAppFile), 'database'],
  ['sign-in to apps', withDatabase(checkRegisteredApps), 'database'],
  ['client documents', withDatabase(checkClientDocuments), 'database'],
  ['webhooks', withDatabase(checkWebhooks)],
  ['mail', (settings) => checkMail(settings, mailTo)],
  ['clock', withDatabase(checkClock), 'database'],
]

async function runChecks(mailTo: string | null): Promise<boolean> {
  let healthy = true
  let hasDatabase = true
  for (const [what, check, needs] of checksWith(mailTo)) {
    if (needs === 'database' && !hasDatabase) continue
    const findings = await Promise.resolve()
      .then(() => check(settings()))
      .catch((error: unknown) => [fail(explain(error))])
    for (const { mark, line } of findings) process.stdout.write(`${mark.padEnd(4)} ${what}: ${line}\n`)
    const passes = findings.every(({ mark }) => mark !== 'FAIL')
    healthy &&= passes
    if (what === 'database') hasDatabase = passes
    // All other checks read the settings.
    if (!healthy && what === 'settings') break
  }
  return healthy
}

function explain(error: unknown): string {
  const faults = faultsOf(error)
  if (!(error instanceof SettingsError)) return faults.join(', ')
  return [...faults, ...adviceOnIpAddresses()].map((line) => `\n     ${line}`).join('')
}

/** The most common invalid origin is the IP address of a machine without a domain name, such as http://192.0.2.7:3000. */
function adviceOnIpAddresses(): string[] {
  const origins = entriesOf(process.env.APP_ORIGIN ?? '')
  const addresses = origins.filter((text) => URL.canParse(text) && isIp(new URL(text).hostname))
  if (addresses.length === 0) return []
  return [
    `${addresses.join(', ')} is an IP address, and passkeys need a domain name. Give the machine a name, or use http://localhost.`,
  ]
}

const { mail } = readOptions(
  process.env.npm_lifecycle_event ? 'npm run doctor --' : 'latchkey doctor',
  'Checks the settings of this machine and migrates its database. Exits with 1 if a line begins with FAIL.',
  { '--mail <address>': 'sends a letter there, to see whether it arrives' },
)
declareOwnFolder(resolve(import.meta.dirname, '..'))
loadEnvFiles(process.cwd())
process.exitCode = (await runChecks(typeof mail === 'string' ? mail : null)) ? 0 : 1
