import { ApiError } from '@/lib/api/errors'
import { findIcon } from '@/lib/openid/apps/icon'
import { settings } from '@/lib/settings/settings'
import { searchOf } from '../request/head'
import { framePolicy, type Header } from '../response/headers'
import type { Answer } from '../response/result'

/** Keeps an SVG that somebody opens as a page from running scripts in our origin. next.config.mjs has the same policy. */
const policy = `default-src 'none'; style-src 'unsafe-inline'; sandbox; ${framePolicy}`

/** Browsers cache a logo this long, and so show a new one soon. */
const logoSeconds = 300

/** @throws ApiError not_found without APP_LOGO, or if it is a URL */
export function logo(theme: 'light' | 'dark', request: Request): Answer {
  const file = settings().logo?.[theme]?.file
  if (!file) throw new ApiError('not_found')
  const headers: Header[] = [
    ['Cache-Control', `public, max-age=${logoSeconds}`],
    ['Content-Security-Policy', policy],
    ['ETag', file.etag],
    // Apps may show the logo.
    ['Cross-Origin-Resource-Policy', 'cross-origin'],
  ]
  if (isKnown(request.headers.get('If-None-Match'), file.etag)) return { status: 304, headers, body: null }
  headers.push(['Content-Type', file.type === 'image/svg+xml' ? `${file.type}; charset=utf-8` : file.type])
  return { status: 200, headers, body: file.bytes }
}

/** @throws ApiError not_found where no app has it, or has it any more */
export async function appIcon(request: Request): Promise<Answer> {
  const icon = await findIcon(new URLSearchParams(searchOf(request.url)).get('digest') ?? '')
  if (!icon) throw new ApiError('not_found')
  const headers: Header[] = [
    // The address names the content.
    ['Cache-Control', 'public, max-age=31536000, immutable'],
    ['Content-Security-Policy', policy],
    ['Content-Type', icon.type],
  ]
  return { status: 200, headers, body: icon.bytes }
}

/** Compares weakly (RFC 9110 section 13.1.2), since proxies that compress weaken the tag. */
const isKnown = (header: string | null, etag: string) =>
  header?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
