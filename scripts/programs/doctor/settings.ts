import { isIP } from 'node:net'
import { contrast } from '@/lib/colour'
import { database } from '@/lib/database/client'
import { type Logo, palette } from '@/lib/settings/branding'
import { isEmbedded } from '@/lib/settings/deployment'
import { isUnder } from '@/lib/settings/fields'
import { type Settings, unknownSettings } from '@/lib/settings/settings'
import { counted } from '../../support/command-line.mjs'
import { durationText, type Finding, ok, warn } from './finding'

export function checkSettings({
  sessionSeconds,
  bcryptCost,
  userVerification,
  appName,
  host,
  port,
}: Settings): Finding[] {
  return [
    ok(
      `valid; ${appName} listens on ${host ?? 'all interfaces'}, port ${port}; sessions last ${durationText(sessionSeconds)}; bcrypt cost ${bcryptCost}; user verification ${userVerification}`,
    ),
    ...unknownSettings().map(warn),
  ]
}

/** A secret that is too short or does not look random has failed the check of the settings. */
export function checkSecret({ secret, previousSecret, databaseUrl }: Settings): Finding[] {
  const source = process.env.JWT_SECRET ? 'from JWT_SECRET' : 'generated and kept beside the embedded database'
  return [
    ok(`${secret.length} bytes, ${source}${isEmbedded(databaseUrl) ? '' : '; must be the same on every instance'}`),
    ...(previousSecret ? [ok('JWT_SECRET_PREVIOUS verifies tokens too; remove it when the change is complete')] : []),
  ]
}

const signUpLines = {
  open: 'everybody may create an account',
  invited: 'takes an invitation; npm run accounts -- invite prints one',
  closed: 'nobody can create an account',
}

export const checkSignUp = ({ signUp, backendUrl }: Settings): Finding[] => [
  ok(signUpLines[signUp] + (backendUrl ? '; SIGN_UP must be the same on the backend' : '')),
]

/** Says where https ends, and whether the client's address is taken from a proxy's header. */
export function checkHttps({ onVercel, secureCookies, trustedProxies, host }: Settings): Finding[] {
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
        'the origin is https, so a proxy must terminate it, but TRUSTED_PROXIES is 0: all clients seem to have the address of that proxy and share its rate limit, and a request that came by http is served like any other. Set it to 1 for one proxy',
      ),
    ]
  const reachable = warn(
    'only the proxy may reach this port, or clients can forge their address; set HOST=127.0.0.1, or in a container HOST=0.0.0.0 and publish the port to 127.0.0.1 only',
  )
  const agreed = ok(
    `TRUSTED_PROXIES=${trustedProxies}: that many entries of X-Forwarded-For, counted from its end, are taken as written by your proxies`,
  )
  const redirected = ok(
    'a request that a proxy says came by http (X-Forwarded-Proto) is not served: GET and HEAD are redirected to https, others rejected. A proxy that sends no such header must do this itself',
  )
  return host === undefined ? [agreed, redirected, reachable] : [agreed, redirected]
}

const hostOf = (origin: string) => new URL(origin).hostname

export const isIp = (host: string) => isIP(host.replace(/^\[|\]$/g, '')) !== 0

export function checkOrigins({ origins, originConfigured }: Settings): Finding[] {
  const findings = [ok(origins.join(', '))]
  if (!originConfigured)
    findings.push(warn('APP_ORIGIN is not set, so passkeys work only on this machine; set it to your https origin'))
  for (const origin of origins.filter((origin) => isIp(hostOf(origin))))
    findings.push(warn(`passkeys do not work at ${origin}, an IP address; they need a domain name`))
  const previewHost = process.env.VERCEL_URL
  const preview = previewHost && !origins.includes(`https://${previewHost}`)
  if (preview || origins.some((origin) => hostOf(origin).endsWith('.vercel.app')))
    findings.push(
      warn(
        'every preview deployment has its own origin (https://NAME-HASH-TEAM.vercel.app), which is not in APP_ORIGIN: requests from its pages are rejected as foreign, and passkeys do not work across origins. Set APP_ORIGIN for previews separately, or test sign-in at the production origin',
      ),
    )
  return findings
}

/** Public suffixes, which browsers reject as RP ID (WebAuthn section 5.1.3). */
const sharedDomains = ['vercel.app', 'netlify.app', 'pages.dev', 'workers.dev', 'fly.dev', 'onrender.com', 'github.io']

export function checkPasskeys({ origins, rpId }: Settings): Finding[] {
  if (isIp(rpId)) return [warn(`${rpId} is an IP address, and passkeys need a domain name: none can be created`)]
  const bare = !rpId.includes('.') && rpId !== 'localhost'
  if (bare || sharedDomains.includes(rpId))
    return [
      warn(
        `browsers reject ${rpId} as RP_ID, because its subdomains belong to different owners; use ${hostOf(origins[0])}`,
      ),
    ]
  const outside = origins.filter((origin) => !isUnder(hostOf(origin), rpId))
  return [
    ok(`bound to ${rpId} permanently; with another RP_ID none of them works`),
    ...outside.map((origin) =>
      warn(
        `${origin} is not under ${rpId}: passkeys work there as long as https://${rpId}/.well-known/webauthn lists it, and in no older browser`,
      ),
    ),
  ]
}

/** Reports the logo, the accent and what follows from them. */
export function checkBranding({ appName, logo, accent, homeUrl, backendUrl }: Settings): Finding[] {
  const findings = [logo?.light, logo?.dark].flatMap((one) => (one ? [ok(describeLogo(one))] : []))
  if (logo && !logo.dark) findings.push(ok('APP_LOGO_DARK is not set: in the dark theme the logo has a light plate'))
  if (accent) findings.push(ok(describeAccent(accent)))
  if (homeUrl) findings.push(ok(`people go on to ${homeUrl}`))
  if (findings.length > 0 && backendUrl) findings.push(ok('all of this must be the same on the backend'))
  if (findings.length > 0 && appName === 'Latchkey')
    findings.push(warn('APP_NAME is not set, so titles and password managers say Latchkey'))
  return findings
}

const describeLogo = ({ url, file }: Logo) =>
  file
    ? `${url} is ${file.type} of ${Math.ceil(file.bytes.length / 1024)} KiB`
    : `browsers load the logo from ${new URL(url).host}, which then sees their addresses`

function describeAccent({ light, dark }: NonNullable<Settings['accent']>): string {
  const ratio = (one: string, other: string) => `${contrast(one, other).toFixed(1)}:1`
  const inDark = `${dark.accent} with ${ratio(dark.accent, palette.dark.paper)} in the dark theme`
  return `${light.accent} reaches ${ratio(light.accent, palette.light.paper)} as text, and ${inDark}`
}

/** Without passwords, whoever has nothing else needs a recovery code. */
export async function checkPasswords({ passwords, passwordMinLength }: Settings): Promise<Finding[]> {
  if (passwords) return [ok(`new ones have at least ${passwordMinLength} characters`)]
  const db = await database()
  const accounts = await db.user.count({ where: { passwordHash: { not: null }, passkeys: { none: {} } } })
  if (accounts === 0) return [ok('off')]
  return [
    warn(`off; locked out without a recovery code: ${counted(accounts, 'account')} with a password and no passkey`),
  ]
}
