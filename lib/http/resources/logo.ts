import { ApiError } from '@/lib/api/errors'
import { settings } from '@/lib/settings/settings'
import { framePolicy } from '../response/security-headers'

/** An SVG opened as a page must not run scripts as this origin. next.config.mjs has the same policy. */
const policy = `default-src 'none'; style-src 'unsafe-inline'; sandbox; ${framePolicy}`

/** Short, so that browsers soon show a new logo. */
const logoSeconds = 300

/** @throws ApiError not_found without APP_LOGO, or if it is a URL */
export function logo(theme: 'light' | 'dark', request: Request): Response {
  const file = settings().logo?.[theme]?.file
  if (!file) throw new ApiError('not_found')
  const shared = {
    'Cache-Control': `public, max-age=${logoSeconds}`,
    'Content-Security-Policy': policy,
    ETag: file.etag,
    // Apps may show it.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
  if (isKnown(request.headers.get('If-None-Match'), file.etag))
    return new Response(null, { status: 304, headers: shared })
  return new Response(file.bytes, {
    headers: {
      ...shared,
      'Content-Type': file.type === 'image/svg+xml' ? `${file.type}; charset=utf-8` : file.type,
      'Content-Length': String(file.bytes.length),
    },
  })
}

/** RFC 9110 section 13.1.2: weak comparison, since proxies that compress weaken the tag. */
const isKnown = (header: string | null, etag: string) =>
  header?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
