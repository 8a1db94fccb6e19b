import { authorizationPath } from '@/lib/api/names'
import { wordsIn } from '@/lib/messages/catalogues'
import { isTimeZone } from '@/lib/messages/format/dates'
import { isLocale, type Locale, locales } from '@/lib/messages/locales'
import type { PageLanguage } from '@/lib/messages/page-words'
import { settings } from '@/lib/settings/settings'
import { readCookie } from './cookies'
import type { ReadableHeaders } from './head'

/* The language of the answer, and what else a page needs to speak to its visitor. */

/** LOCALE, else the person's choice in this browser, else the app's (`ofApp`), else the browser's, else English. */
export function localeOf(headers: ReadableHeaders, ofApp: Locale | null = null): Locale {
  const { locale } = settings()
  if (locale) return locale
  const chosen = readCookie(headers, 'locale') ?? ''
  return isLocale(chosen) ? chosen : (ofApp ?? negotiate(headers.get('Accept-Language') ?? '') ?? 'en')
}

/**
 * The first of our languages among the `ui_locales` of the app's request that a page belongs to. Reads the page's URL, or that
 * of the request which the page leads back to; no cookie keeps it, because it is for that request alone (OpenID Connect Core
 * section 3.1.2.1).
 */
export function localeOfApp(search: string): Locale | null {
  const query = new URLSearchParams(search)
  const [path, request] = (query.get('next') ?? '').split('?', 2)
  const tags =
    query.get('ui_locales') ?? (path === authorizationPath ? new URLSearchParams(request).get('ui_locales') : null)
  return (
    (tags ?? '')
      .split(' ')
      .map((tag) => tag.toLowerCase().split('-')[0] ?? '')
      .find(isLocale) ?? null
  )
}

/** Finds the first of our languages that a browser accepts (RFC 9110 section 12.5.4, RFC 4647 section 3.4): `de-AT` finds `de`. */
function negotiate(accepted: string): Locale | undefined {
  const ranges = accepted.split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { language: tag.split('-')[0] ?? '', weight: weight === undefined ? 1 : Number(weight) }
  })
  const known = ranges.filter(({ language, weight }) => isLocale(language) && weight > 0)
  // The sort is stable: among equals, the first wins.
  const [best] = known.sort((a, b) => b.weight - a.weight)
  return locales.find((locale) => locale === best?.language)
}

export function pageLanguage(headers: Headers): PageLanguage {
  const locale = localeOf(headers)
  const zone = readCookie(headers, 'zone')
  return {
    locale,
    words: wordsIn(locale),
    choices: settings().locale ? [] : locales,
    clock: { zone: zone !== null && isTimeZone(zone) ? zone : null, now: Date.now() },
  }
}
