// `npm run doctor`: says whether Latchkey could start here, and what its settings amount to. Exits with 1 if it could not.
import nextEnv from '@next/env'
import { SettingsError, settings } from '@/lib/data/settings'
import { start, stop } from '@/lib/data/start'

/** Each gives a line to print, or throws. */
const examinations: [what: string, examine: () => Promise<string> | string][] = [
  ['settings', () => settings() && 'every one is readable'],
  ['origin', () => settings().origins.join(', ') + (settings().originConfigured ? '' : ' (APP_ORIGIN is not set)')],
  ['passkeys', () => `tied to ${settings().rpId}; they work at the origins above and nowhere else`],
  [
    'cookies',
    () => (settings().secureCookies ? 'Secure, __Host-' : 'not Secure: fine for localhost, not for the internet'),
  ],
  ['proxies', () => `${settings().trustedProxies} in front; the client's address is read accordingly`],
  [
    'database',
    () =>
      start()
        .then(stop)
        .then(() => `${settings().databaseUrl} opened and migrated`),
  ],
]

async function examineAll(): Promise<boolean> {
  let healthy = true
  for (const [what, examine] of examinations) {
    const { mark, finding } = await Promise.resolve()
      .then(examine)
      .then((finding) => ({ mark: 'ok  ', finding }))
      .catch((error: unknown) => ({ mark: 'FAIL', finding: explain(error) }))
    healthy &&= mark !== 'FAIL'
    process.stdout.write(`${mark} ${what}: ${finding}\n`)
    // Without settings there is nothing else to look at.
    if (!healthy && what === 'settings') break
  }
  return healthy
}

function explain(error: unknown): string {
  if (error instanceof SettingsError) return error.faults.map((line) => `\n     ${line}`).join('')
  return error instanceof Error ? error.message : String(error)
}

nextEnv.loadEnvConfig(process.cwd(), false)
process.exitCode = (await examineAll()) ? 0 : 1
