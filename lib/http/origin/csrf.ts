import { ApiError } from '@/lib/api/errors'
import { settings } from '@/lib/settings/settings'

/** Whether a web page made the request: browsers send one of these headers with every POST. */
export const isFromPage = ({ headers }: Request) => headers.has('Origin') || headers.has('Sec-Fetch-Site')

/**
 * Rejects what a page embeds or fetches, such as an image of a sibling host: browsers attach our cookie, and only a navigation is
 * meant (W3C Fetch Metadata, `Sec-Fetch-Dest`). In a frame an app asks with `prompt=none`.
 */
export function requireNavigation({ headers }: Request): void {
  const destination = headers.get('Sec-Fetch-Dest') ?? 'document'
  if (!['document', 'iframe'].includes(destination)) throw new ApiError('foreign_origin')
}

/** Rejects foreign origins: browsers attach our cookie (OWASP CSRF Prevention, "Verifying Origin", Fetch Metadata). */
export function requireSameOrigin({ headers }: Request): void {
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
