import { isIP } from 'node:net'
import { isUnder } from '@/lib/settings/origins'
import type { Settings } from '@/lib/settings/schema'
import { type Finding, ok, warn } from './finding'

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
