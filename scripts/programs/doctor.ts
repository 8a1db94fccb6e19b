// `npm run doctor`: reports whether Latchkey can start here, and what its settings mean. Exits with 1 if a line begins
// with FAIL.
import { resolve } from 'node:path'
import { declareOwnFolder } from '@/lib/process/own-files'
import '../command-line/broken-pipe.mjs'
import { loadEnvFiles } from '@/lib/settings/env-files.mjs'
import { entriesOf } from '@/lib/settings/fields'
import { faultsOf, SettingsError, settings } from '@/lib/settings/settings'
import { readOptions } from '../command-line/read-options.mjs'
import { checksWith, needDatabase } from './doctor/checks'
import { fail } from './doctor/finding'
import { isIp } from './doctor/settings'

async function runChecks(mailTo: string | null): Promise<boolean> {
  let healthy = true
  let hasDatabase = true
  for (const [what, check] of checksWith(mailTo)) {
    if (!hasDatabase && needDatabase.includes(what)) continue
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
