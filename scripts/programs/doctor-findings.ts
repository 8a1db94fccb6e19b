import { isIP } from 'node:net'
import { palette } from '@/lib/settings/branding/accent'
import { contrast } from '@/lib/settings/branding/colour'
import type { Logo } from '@/lib/settings/branding/logo'
import { inClearWarning, isSentInClear } from '@/lib/settings/deployment'
import { isUnder } from '@/lib/settings/relying-party'
import type { Settings } from '@/lib/settings/schema'

/** A line of the doctor's report. Only `FAIL` makes its exit code 1. */
export interface Finding {
  mark: 'ok' | 'warn' | 'FAIL'
  line: string
}

const ok = (line: string): Finding => ({ mark: 'ok', line })
const warn = (line: string): Finding => ({ mark: 'warn', line })
const hostOf = (origin: string) => new URL(origin).hostname

export const isIp = (host: string) => isIP(host.replace(/^\[|\]$/g, '')) !== 0

/** Public suffixes, which browsers reject as RP ID (WebAuthn section 5.1.3). */
const sharedDomains = ['vercel.app', 'netlify.app', 'pages.dev', 'workers.dev', 'fly.dev', 'onrender.com', 'github.io']

/** @param mode of the folder that contains the embedded database and its secret; the files themselves are 0600 */
export function folderFindings(folder: string, mode: number): Finding[] {
  if ((mode & 0o011) === 0) return [ok(`only its owner can enter ${folder}`)]
  return [
    warn(
      `other users of this machine can enter ${folder}, which contains the database and the secret; unless they should, run: chmod 700 ${folder}`,
    ),
  ]
}

export function originFindings({ origins, originConfigured }: Settings, previewHost?: string): Finding[] {
  const findings = [ok(origins.join(', '))]
  if (!originConfigured)
    findings.push(warn('APP_ORIGIN is not set, so passkeys work only on this machine; set it to your https address'))
  for (const origin of origins.filter((origin) => isIp(hostOf(origin))))
    findings.push(warn(`${origin} is an IP address, where passkeys do not work; they need a domain name`))
  const preview = previewHost && !origins.includes(`https://${previewHost}`)
  if (preview || origins.some((origin) => hostOf(origin).endsWith('.vercel.app')))
    findings.push(
      warn(
        'every preview deployment has its own address (NAME-HASH-TEAM.vercel.app), which is not in APP_ORIGIN: requests from its pages are rejected as foreign, and passkeys do not work across addresses. Set APP_ORIGIN for previews separately, or test sign-in at the production address',
      ),
    )
  return findings
}

export const backendFindings = ({ backendUrl }: Settings): Finding[] =>
  backendUrl && isSentInClear(backendUrl) ? [warn(inClearWarning(backendUrl))] : []

export function rpIdFindings({ origins, rpId }: Settings): Finding[] {
  if (isIp(rpId)) return [warn(`${rpId} is an IP address, and passkeys need a domain name: none can be created`)]
  const bare = !rpId.includes('.') && rpId !== 'localhost'
  if (bare || sharedDomains.includes(rpId))
    return [
      warn(
        `browsers reject ${rpId} as RP_ID, because its subdomains belong to different owners; use ${hostOf(origins[0] ?? '')}`,
      ),
    ]
  const outside = origins.filter((origin) => !isUnder(hostOf(origin), rpId))
  return [
    ok(`passkeys are bound to ${rpId} permanently; with another RP_ID none of them works`),
    ...outside.map((origin) =>
      warn(
        `${origin} is not under ${rpId}: passkeys work there as long as https://${rpId}/.well-known/webauthn lists it, and in no older browser`,
      ),
    ),
  ]
}

export function proxyFindings({ onVercel, secureCookies, trustedProxies, host }: Settings): Finding[] {
  if (onVercel) return [ok('the platform terminates https and reports the client address')]
  if (!secureCookies) {
    const plain = ok('http on localhost: cookies are not Secure, which is acceptable only there')
    if (trustedProxies === 0) return [plain]
    return [
      plain,
      warn(`TRUSTED_PROXIES is ${trustedProxies}, but there is no proxy in front of a local origin; set it to 0`),
    ]
  }
  if (trustedProxies === 0)
    return [
      warn(
        'the origin is https, so a proxy must terminate it, but TRUSTED_PROXIES is 0: all clients seem to have the address of that proxy and share its rate limit. Set it to 1 for one proxy',
      ),
    ]
  const reachable = warn(`only the proxy may reach this port, or clients can forge their address; set HOST=127.0.0.1`)
  const agreed = ok(`${trustedProxies} of your proxies are trusted to append to X-Forwarded-For`)
  return host === undefined ? [agreed, reachable] : [agreed]
}

/** @param status of the receiver's answer to an event of the type webhook.test */
export function webhookFindings(
  status: number,
  { secrets, hasCron }: { secrets: number; hasCron: boolean },
): Finding[] {
  const findings: Finding[] = []
  if (status >= 200 && status < 300)
    findings.push(ok(`the receiver answered ${status} to an event of the type webhook.test`))
  else findings.push({ mark: 'FAIL', line: `the receiver answered ${status}${hintOf(status)}; check WEBHOOK_URL` })
  if (secrets > 1)
    findings.push(ok('two secrets sign; when the receiver has the new one, remove the other from WEBHOOK_SECRET'))
  if (!hasCron)
    findings.push(warn('nothing repeats a failed webhook on Vercel: set CRON_SECRET and a cron job for /api/deliver'))
  return findings
}

function hintOf(status: number): string {
  if (status === 401 || status === 403) return ', so it may have another secret than WEBHOOK_SECRET'
  if (status === 410) return ', which ends webhooks'
  return status >= 300 && status < 400 ? ', and redirects are not followed' : ''
}

const signUpLines = {
  open: 'everybody may create an account',
  invited: 'takes an invitation; npm run accounts -- invite prints one',
  closed: 'nobody can create an account',
}

export const signUpFindings = ({ signUp, backendUrl }: Settings): Finding[] => [
  ok(signUpLines[signUp] + (backendUrl ? '; SIGN_UP must be the same on the backend' : '')),
]

/** What the pages look like. */
export function brandingFindings({ appName, logo, accent, homeUrl, backendUrl }: Settings): Finding[] {
  const findings = [logo?.light, logo?.dark].flatMap((one) => (one ? [ok(describeLogo(one))] : []))
  if (logo && !logo.dark) findings.push(ok('APP_LOGO_DARK is not set: in the dark theme the logo has a light plate'))
  if (accent) findings.push(ok(describeAccent(accent)))
  if (homeUrl) findings.push(ok(`people go on to ${homeUrl}`))
  if (findings.length > 0 && backendUrl) findings.push(ok('all of this must be the same on the backend'))
  if (findings.length > 0 && appName === 'Latchkey')
    findings.push(warn('APP_NAME is not set, so titles and password managers say Latchkey'))
  return findings
}

const describeLogo = ({ address, file }: Logo) =>
  file
    ? `${address} is ${file.type} of ${Math.ceil(file.bytes.length / 1024)} KiB`
    : `browsers load the logo from ${new URL(address).host}, which then sees their addresses`

function describeAccent({ light, dark }: NonNullable<Settings['accent']>): string {
  const ratio = (one: string, other: string) => `${contrast(one, other).toFixed(1)}:1`
  const inDark = `${dark.accent} with ${ratio(dark.accent, palette.dark.paper)} in the dark theme`
  return `${light.accent} reaches ${ratio(light.accent, palette.light.paper)} as text, and ${inDark}`
}

/** What does not fit together in the settings for other apps. */
export function appFindings({
  clientOrigins,
  accessCookie,
  androidApps,
  appleApps,
  passkeyOrigins,
}: Settings): Finding[] {
  const named = [...clientOrigins, ...androidApps.map(({ packageName }) => packageName), ...appleApps]
  const hashes = androidApps.flatMap(({ fingerprints }) => fingerprints.map(apkKeyHash))
  const unnamed = passkeyOrigins.filter((origin) => origin.startsWith('android:') && !hashes.includes(origin))
  const findings = named.length > 0 ? [ok(named.join(', '))] : []
  if (accessCookie?.origins.length === 0)
    findings.push(
      warn(`ACCESS_COOKIE_DOMAIN helps no app: CLIENT_ORIGINS names no https origin under ${accessCookie.domain}`),
    )
  for (const origin of unnamed)
    findings.push(
      warn(`${origin} is in APP_ORIGIN, but ANDROID_APPS has no app with that key, so Android gives it no passkeys`),
    )
  return findings
}

/** The origin that Android derives from a certificate's fingerprint. */
const apkKeyHash = (fingerprint: string) =>
  `android:apk-key-hash:${Buffer.from(fingerprint.replaceAll(':', ''), 'hex').toString('base64url')}`
