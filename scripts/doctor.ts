// `npm run doctor`: says whether Latchkey could start here, and what its settings amount to. Exits with 1 if it could not.
import './broken-pipe.mjs'
import nextEnv from '@next/env'
import { SettingsError } from '@/lib/settings/settings'
import { examinations } from './examinations'
import { isIp } from './site-findings'

/** Looks at everything; true if nothing keeps Latchkey from starting. */
async function examineAll(): Promise<boolean> {
  let healthy = true
  for (const [what, examine] of examinations) {
    const findings = await Promise.resolve()
      .then(examine)
      .catch((error: unknown) => [{ mark: 'FAIL' as const, line: explain(error) }])
    for (const { mark, line } of findings) process.stdout.write(`${mark.padEnd(4)} ${what}: ${line}\n`)
    healthy &&= findings.every(({ mark }) => mark !== 'FAIL')
    // Without settings there is nothing else to look at.
    if (!healthy && what === 'settings') break
  }
  return healthy
}

function explain(error: unknown): string {
  if (!(error instanceof SettingsError)) return error instanceof Error ? error.message : String(error)
  return [...error.faults, ...aboutIpAddresses()].map((line) => `\n     ${line}`).join('')
}

/** The commonest wrong origin: http://192.0.2.7:3000, which is how one reaches a machine that has no name yet. */
function aboutIpAddresses(): string[] {
  const origins = (process.env.APP_ORIGIN ?? '').split(',').map((text) => text.trim())
  const numbers = origins.filter((text) => URL.canParse(text) && isIp(new URL(text).hostname))
  if (numbers.length === 0) return []
  return [
    `${numbers.join(', ')} is an IP address: WebAuthn ties a passkey to a domain, so no browser makes one there. Give the machine a name, or use http://localhost`,
  ]
}

nextEnv.loadEnvConfig(process.cwd(), false)
process.exitCode = (await examineAll()) ? 0 : 1
