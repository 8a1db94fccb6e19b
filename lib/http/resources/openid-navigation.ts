import { ApiError } from '@/lib/api/errors'
import { isLocale } from '@/lib/messages/locales'
import type { logoutPath } from '@/lib/openid/logout/logout'
import type { authorizationPath } from '@/lib/openid/requests/interaction'
import { settings } from '@/lib/settings/settings'
import { isForm, readBytes } from '../request/body'
import { seeOther } from '../response/see-other'
import { localeOf } from '../visitor/language'

/** Adds to a path that has a query the first of the app's languages that is shipped, unless the page would use it anyway. */
export function withLocale(path: string, uiLocales: string[], headers: Headers): string {
  const wanted = uiLocales.map((tag) => tag.toLowerCase().split('-')[0] ?? '').find(isLocale)
  return wanted === undefined || settings().locale || wanted === localeOf(headers) ? path : `${path}&locale=${wanted}`
}

/** The form becomes a URL, and servers accept none that is longer. */
const longestForm = 8 * 1024

/** Redirects a form to the same request by GET: another site's form sends no Lax cookie, the GET does. */
export const repeatByGet = (path: typeof authorizationPath | typeof logoutPath) => async (request: Request) => {
  if (!isForm(request)) throw new ApiError('unsupported_media_type')
  const bytes = await readBytes(request)
  if (bytes.length > longestForm) throw new ApiError('payload_too_large')
  // The GET rejects repeated parameters.
  return seeOther(`${path}?${new URLSearchParams(new TextDecoder().decode(bytes))}`)
}
