import { isIP } from 'node:net'

/** One line of the doctor's. `look` is worth a look and keeps nothing from starting; `FAIL` does. */
export interface Finding {
  mark: 'ok' | 'look' | 'FAIL'
  line: string
}

interface Site {
  origins: string[]
  originConfigured: boolean
  rpId: string
  trustedProxies: number
  secureCookies: boolean
  host: string | undefined
}

const ok = (line: string): Finding => ({ mark: 'ok', line })
const look = (line: string): Finding => ({ mark: 'look', line })
const hostOf = (origin: string) => new URL(origin).hostname

/** Whether a host, as a URL has it, is an IP address. */
export const isIp = (host: string) => isIP(host.replace(/^\[|\]$/g, '')) !== 0

/** Domains whose subdomains belong to strangers, so browsers refuse them as RP id (WebAuthn section 5.1.3). */
const sharedDomains = ['vercel.app', 'netlify.app', 'pages.dev', 'workers.dev', 'fly.dev', 'onrender.com', 'github.io']

/** What to know of the public origins. */
export function originFindings({ origins, originConfigured }: Site, previewHost?: string): Finding[] {
  const findings = [ok(origins.join(', '))]
  if (!originConfigured)
    findings.push(look('APP_ORIGIN is not set: passkeys work on this machine only; set it to your https address'))
  for (const origin of origins.filter((origin) => isIp(hostOf(origin))))
    findings.push(look(`${origin} is an IP address: WebAuthn wants a domain, so there are passwords only`))
  const preview = previewHost && !origins.includes(`https://${previewHost}`)
  if (preview || origins.some((origin) => hostOf(origin).endsWith('.vercel.app')))
    findings.push(
      look(
        'every preview deployment has an address of its own (NAME-HASH-TEAM.vercel.app), which is no origin of ours: its pages are refused as foreign, and passkeys of one address do not work at another. Set APP_ORIGIN for previews apart, or try sign-in at the production address',
      ),
    )
  return findings
}

/** Whether passkeys can work under the RP id at every origin. */
export function rpIdFindings({ origins, rpId }: Site): Finding[] {
  if (isIp(rpId)) return [look(`${rpId} is an IP address, and WebAuthn wants a domain: no passkey can be made`)]
  const bare = !rpId.includes('.') && rpId !== 'localhost'
  if (bare || sharedDomains.includes(rpId))
    return [
      look(`browsers refuse ${rpId} as RP_ID, because strangers have names under it; use ${hostOf(origins[0] ?? '')}`),
    ]
  const outside = origins.filter((origin) => hostOf(origin) !== rpId && !hostOf(origin).endsWith(`.${rpId}`))
  return [
    ok(`passkeys are tied to ${rpId} for good; under another RP_ID none of them works`),
    ...outside.map((origin) => look(`${origin} is not under ${rpId}: browsers use no passkey of ours there`)),
  ]
}

/** Whether https, where it ends, and what tells clients apart agree. */
export function proxyFindings({ secureCookies, trustedProxies, host }: Site, managed: boolean): Finding[] {
  if (managed) return [ok('the platform ends https and states the client address')]
  if (!secureCookies) {
    const plain = ok('http on localhost: cookies are not Secure, which is right there and nowhere else')
    if (trustedProxies === 0) return [plain]
    return [plain, look(`TRUSTED_PROXIES is ${trustedProxies}, but a local origin has no proxy in front; set 0`)]
  }
  if (trustedProxies === 0)
    return [
      look(
        'the origin is https, which a proxy must end, but TRUSTED_PROXIES is 0: all clients look like that proxy and share one quota. Set 1 for one proxy',
      ),
    ]
  const reachable = look(`only the proxy may reach the port, or clients can choose their address: HOST=127.0.0.1`)
  const agreed = ok(`https ends at ${trustedProxies} of your proxies, which append to X-Forwarded-For`)
  return host === undefined ? [agreed, reachable] : [agreed]
}
