import { maxCookieSeconds } from '@/lib/api/cookies'
import { isLocale } from '@/lib/messages/locales'
import { settings } from '@/lib/settings/settings'
import { serializeCookie } from '../request/cookies'
import { withoutParameter } from '../request/request-target'

/** Handles `?locale=`. By GET, since another site's link can only change the language. */
export function chooseLanguage(search: string): { search: string; cookie: string } | null {
  const locale = new URLSearchParams(search).get('locale') ?? ''
  if (settings().locale || !isLocale(locale)) return null
  const cookie = serializeCookie('locale', locale, maxCookieSeconds)
  return { search: withoutParameter(search, 'locale') ?? '', cookie }
}
