import { isLocale } from '@/lib/messages/locales'
import { settings } from '@/lib/settings/settings'
import { setCookie } from '../cookies'

/** The longest that browsers keep a cookie (RFC 6265bis section 5.5). */
const cookieSeconds = 400 * 86_400

/**
 * What `?locale=` on a page does: the rest of its address and the cookie that keeps the choice; null if there is nothing
 * to choose. A GET may do this: another site that links here can only change the language, which a person can change back.
 */
export function chooseLanguage(search: string): { search: string; cookie: string } | null {
  const parameters = new URLSearchParams(search)
  const locale = parameters.get('locale') ?? ''
  if (settings().locale || !isLocale(locale)) return null
  parameters.delete('locale')
  return { search: parameters.size > 0 ? `?${parameters}` : '', cookie: setCookie('locale', locale, cookieSeconds) }
}
