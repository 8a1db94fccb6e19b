import { ApiError } from '@/lib/api/errors'
import { settings } from '@/lib/settings/settings'

/** Whether a web page made the request: browsers put one of these on every POST. */
export const isFromPage = ({ headers }: Request) => headers.has('Origin') || headers.has('Sec-Fetch-Site')

/**
 * Refuses what a page of another site sent: with it goes our cookie, and with that a stranger's wish (OWASP CSRF
 * Prevention, "Verifying Origin"; Fetch Metadata Request Headers).
 *
 * @throws ApiError foreign_origin
 */
export function requireSameOrigin({ headers }: Request): void {
  const origin = headers.get('Origin')
  const foreign =
    headers.get('Sec-Fetch-Site') === 'cross-site' || (origin !== null && !isOwn(origin, headers.get('Host')))
  if (foreign) throw new ApiError('foreign_origin')
}

/** Until APP_ORIGIN is set, the product also works at the address it happens to be reached at. */
function isOwn(origin: string, host: string | null): boolean {
  const { origins, originConfigured } = settings()
  if (origins.includes(origin)) return true
  return !originConfigured && URL.canParse(origin) && host !== null && new URL(origin).host === host.toLowerCase()
}
