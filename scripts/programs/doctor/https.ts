import type { Settings } from '@/lib/settings/schema'
import { type Finding, ok, warn } from './finding'

/** Where https ends, and whose word for the client's address is taken. */
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
