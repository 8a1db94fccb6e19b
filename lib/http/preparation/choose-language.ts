import { mostCookieSeconds } from '@/lib/api/cookie-age'
import { isLocale } from '@/lib/messages/locales'
import { settings } from '@/lib/settings/settings'
import { setCookie } from '../request/cookies'

/** Handles `?locale=`. By GET, since another site's link can only change the language. */
export function chooseLanguage(search: string): { search: string; cookie: string } | null {
  const parameters = new URLSearchParams(search)
  const locale = parameters.get('locale') ?? ''
  if (settings().locale || !isLocale(locale)) return null
  parameters.delete('locale')
  return { search: parameters.size > 0 ? `?${parameters}` : '', cookie: setCookie('locale', locale, mostCookieSeconds) }
}
