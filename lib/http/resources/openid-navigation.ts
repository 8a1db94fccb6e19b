import { ApiError } from '@/lib/api/errors'
import type { logoutPath } from '@/lib/openid/logout/logout'
import type { authorizationPath } from '@/lib/openid/requests/interaction'
import { isForm, readBytes } from '../request/body'
import { longestTarget } from '../request/request-target'
import { seeOther } from '../response/see-other'

/** Adds to a path that has a query the app's languages, for the pages of this request. */
const withUiLocales = (path: string, uiLocales: string[]): string =>
  uiLocales.length === 0 ? path : `${path}&${new URLSearchParams({ ui_locales: uiLocales.join(' ') })}`

/** Where a page of ours is; null where its address would be too long for our own next request. */
export function targetOf(path: string, uiLocales: string[]): string | null {
  const target = withUiLocales(path, uiLocales)
  return target.length <= longestTarget ? target : null
}

/** The form becomes a URL, and servers accept none that is longer. */
const longestForm = 8 * 1024

/** Redirects a form to the same request by GET: another site's form sends no Lax cookie, the GET does. */
export const repeatByGet = (path: typeof authorizationPath | typeof logoutPath) => async (request: Request) => {
  if (!isForm(request)) throw new ApiError('unsupported_media_type')
  const bytes = await readBytes(request)
  if (bytes.length > longestForm) throw new ApiError('payload_too_large')
  const target = `${path}?${new URLSearchParams(new TextDecoder().decode(bytes))}`
  // Percent-encoding can make three characters of one.
  if (target.length > longestTarget) throw new ApiError('payload_too_large')
  // The GET rejects repeated parameters.
  return seeOther(target)
}
