import type { Endpoint } from '@/lib/api/endpoints'
import { ApiError } from '@/lib/api/errors'
import { settings } from '@/lib/settings/settings'

/** Returns the request's Origin if CLIENT_ORIGINS lists it, which never has `null`. */
export function listedOrigin({ headers }: Request): string | null {
  const origin = headers.get('Origin')
  return origin !== null && settings().clientOrigins.includes(origin) ? origin : null
}

export type OriginRule = NonNullable<Endpoint['origin']>

/** Rejects foreign origins by the rule of the endpoint's row, and returns the `clientOrigin` of others. */
export function admitOrigin(request: Request, rule: OriginRule): string | null {
  // `any`: browsers send no credentials, so a page learns no more than its own server could. `navigation`: any site may link or
  // post here, and no page of another origin can read the response.
  if (rule === 'any' || rule === 'navigation') return null
  const client = rule === 'listed' ? listedOrigin(request) : null
  if (client === null) requireSameOrigin(request)
  return client
}

/** True for a CORS preflight (Fetch section 3.3.2). */
export const isPreflight = ({ headers }: Request) => headers.has('Access-Control-Request-Method')

/** True if a web page made the request: browsers send one of these headers with every POST. */
export const isFromPage = ({ headers }: Request) => headers.has('Origin') || headers.has('Sec-Fetch-Site')

/**
 * Accepts navigations only (W3C Fetch Metadata, `Sec-Fetch-Dest`): a sibling host could embed this URL as an image, and browsers
 * would attach our cookie. Frames may pass, because apps ask there with `prompt=none`.
 */
export function requireNavigation({ headers }: Request): void {
  const destination = headers.get('Sec-Fetch-Dest') ?? 'document'
  if (!['document', 'iframe'].includes(destination)) throw new ApiError('foreign_origin')
}

/** Rejects foreign origins, since browsers attach our cookie (OWASP CSRF Prevention, "Verifying Origin", Fetch Metadata). */
function requireSameOrigin({ headers }: Request): void {
  const origin = headers.get('Origin')
  const foreign =
    headers.get('Sec-Fetch-Site') === 'cross-site' || (origin !== null && !isOwn(origin, headers.get('Host')))
  if (foreign) throw new ApiError('foreign_origin')
}

/** Until APP_ORIGIN is set, the host of the request counts as ours too. */
function isOwn(origin: string, host: string | null): boolean {
  const { origins, originConfigured } = settings()
  if (origins.includes(origin)) return true
  return !originConfigured && URL.canParse(origin) && host !== null && new URL(origin).host === host.toLowerCase()
}
