import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'
import { wordsIn } from '@/lib/messages/catalogues'
import { dayOf, duration, isTimeZone, localZone, momentOf, timeUntil } from '@/lib/messages/format/dates'
import { fill, listed, listedAsChoices, type Plural } from '@/lib/messages/format/text'
import { languageOf, locales } from '@/lib/messages/locales'
import { read } from '../../support/unit/settings'

type Leaf = [path: string, message: string | Plural]

const isPlural = (value: object): value is Plural => 'other' in value

function leaves(value: unknown, path = ''): Leaf[] {
  if (typeof value === 'string' || isPlural(value as object)) return [[path, value as string | Plural]]
  return Object.entries(value as object).flatMap(([key, inner]) => leaves(inner, path ? `${path}.${key}` : key))
}

const formsOf = (message: string | Plural) => (typeof message === 'string' ? [message] : Object.values(message))

const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)

const english = new Map(leaves(wordsIn('en')))

const others = locales.filter((locale) => locale !== 'en')

/* Thousands of expectations take Playwright seconds, so each test expects one list of what is wrong. */

test('every message has the placeholders that English has, in each language', () => {
  const wrong = others.flatMap((locale) =>
    leaves(wordsIn(locale)).filter(([path, message]) => {
      const known = new Set(formsOf(english.get(path) ?? '').flatMap(namesIn))
      const other = new Set(namesIn(typeof message === 'string' ? message : message.other))
      const fits = other.size === known.size && [...other].every((name) => known.has(name))
      return !fits || formsOf(message).some((form) => namesIn(form).some((name) => !known.has(name)))
    }),
  )
  expect(wrong).toEqual([])
})

test('a message that counts has a form for every category that its language has', () => {
  const wrong = locales.flatMap((locale) => {
    const rules = new Intl.PluralRules(languageOf(locale).conventions)
    const categories = new Set(Array.from({ length: 200 }, (_, index) => rules.select(index + 1)))
    return leaves(wordsIn(locale)).filter(([, message]) => {
      if (typeof message === 'string' || !message.other.includes('{count}')) return false
      const forms = Object.keys(message).filter((form) => form !== 'zero')
      // A message with one form was written so that every number fits.
      return forms.length > 1 && forms.sort().join() !== [...categories].sort().join()
    })
  })
  expect(wrong).toEqual([])
})

test('French breaks no line before a sign, nor within guillemets', () => {
  const breaking = leaves(wordsIn('fr')).filter(([, message]) =>
    formsOf(message).some((form) => / [?!;:»]|« /.test(form)),
  )
  expect(breaking.map(([path]) => path)).toEqual([])
})

test("a button's name for screen readers contains the label that it shows (WCAG 2.5.3)", () => {
  for (const locale of locales) {
    const { account, sessions, apps, profile } = wordsIn(locale)
    const named = [
      [account.signOut, sessions.signOutBrowser],
      [apps.remove, apps.removeFrom],
      [profile.change, profile.changeUsername],
      [profile.change, profile.changePassword],
      [account.remove, profile.removePassword],
    ] as const
    for (const [label, name] of named) expect(name.toLowerCase(), locale).toContain(label.toLowerCase())
  }
})

/** Names, and what these languages write like English. */
const likeEnglish: Record<string, RegExp> = {
  de: /^(failures\.because|site\.support|account\.passkeys|(profile|adminApps|keys)\.name|admin\.(apps|apis)|adminAccounts\.(person|displayName)|adminApps\.issuer|keys\.areaNames\.apps|operatorLog\.app|dates\.when|activity\.times|letters\.(subject|browser)|profile\.code)$/,
  fr: /^(failures\.because|admin\.title|(admin|keys\.areaNames)\.invitations|invitations\.link|operatorLog\.pages|dates\.when|activity\.times|profile\.code)$/,
  es: /^(failures\.because|dates\.when|activity\.times|letters\.subject)$/,
  ja: /^(profile\.sheetFile|activity\.times)$/,
  ar: /^(failures\.because|profile\.sheetFile|letters\.subject)$/,
}

test('no message was left in English', () => {
  const same = others.flatMap((locale) =>
    leaves(wordsIn(locale))
      .filter(([path, message]) => JSON.stringify(message) === JSON.stringify(english.get(path)))
      .filter(([path]) => !likeEnglish[locale]?.test(path))
      .map(([path]) => `${locale} ${path}`),
  )
  expect(same).toEqual([])
})

const sources = [
  'app',
  'components',
  'lib/activity',
  'lib/browser',
  'lib/delivery',
  'lib/http',
  'lib/messages/catalogues.ts',
  'lib/messages/page-words.ts',
]
  .flatMap((root) =>
    root.endsWith('.ts')
      ? [root]
      : readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => `${root}/${path}`),
  )
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => readFileSync(path, 'utf8'))

/** Namespaces whose messages are chosen by a code from elsewhere. */
const byCode =
  /^(errors|fieldErrors|activity\.(events|methods)|notices\.events|letters\.titles|adminApps\.refusals|operatorLog\.events)\./

test('every message is read by code that names its namespace', () => {
  const unread = [...english.keys()].filter((path) => {
    if (byCode.test(path)) return false
    const [namespace = '', ...inner] = path.split('.')
    const key = inner.at(-1)
    const read = new RegExp(`\\.${key}\\b|[{,]\\s*${key}\\s*[,}:]|'${key}'`)
    // A group within a namespace is handed on as a whole, to code that need not know the namespace.
    const namesNamespace = inner.length > 1 ? /./ : new RegExp(`\\b${namespace}\\b`)
    return !sources.some((text) => namesNamespace.test(text) && read.test(text))
  })
  expect(unread).toEqual([])
})

test('LOCALE takes every language that there is, and no other', () => {
  const localeOf = (LOCALE: string) => read({ LOCALE }).settings?.locale
  for (const locale of [...locales, 'en-XA']) expect(localeOf(locale)).toBe(locale)
  for (const other of ['de-AT', 'EN', 'nl', 'xx']) expect(localeOf(other), other).toBeUndefined()
})

test('numbers, names and durations are written as the language does', () => {
  expect(fill('en', '{count} left', { count: 1234 })).toBe('1,234 left')
  expect(fill('de', '{count}', { count: 1234 })).toBe('1.234')
  // A name of the other direction would move the words around it.
  expect(fill('ar', 'من {app}', { app: 'Acme' })).toBe('من \u2068Acme\u2069')
  expect(fill('ar', { one: 'واحد', few: '{count} قليل', other: '{count}' }, { count: 3 })).toBe('3 قليل')
  expect(timeUntil('en', 61)).toBe('in 2 minutes')
  expect(timeUntil('de', 200_000)).toBe('in 3 Tagen')
  expect(timeUntil('ar', 840)).toBe('بعد 14 دقيقة')
  expect(duration('en', 5400)).toBe('90 minutes')
  expect(duration('fr', 1)).toBe('1\u00a0seconde')
  expect(listed('en', ['a', 'b'])).toBe('a and b')
  expect(listedAsChoices('en', ['a', 'b'])).toBe('a or b')
})

test("a moment is told by its day in the reader's zone: today, yesterday, a day of the year, or a date", () => {
  const shown = (at: string, zone: string | null, locale: 'en' | 'de' | 'ja' | 'ar' = 'en') => {
    const { date, time } = momentOf(locale, at, { zone, now: Date.parse('2026-11-22T03:30:00Z') })
    return `${date}, ${time}`
  }
  expect(shown('2026-11-22T01:05:00Z', 'Europe/Berlin')).toBe('today, 02:05')
  expect(shown('2026-11-21T23:30:00Z', 'Europe/Berlin')).toBe('today, 00:30')
  expect(shown('2026-11-21T23:30:00Z', 'Asia/Tokyo')).toBe('today, 08:30')
  expect(shown('2026-11-22T01:05:00Z', 'America/New_York')).toBe('today, 20:05')
  expect(shown('2026-11-21T23:30:00Z', null)).toBe('yesterday, 23:30 UTC')
  expect(shown('2026-11-03T12:00:00Z', 'Europe/Berlin')).toBe('3 Nov, 13:00')
  expect(shown('2026-03-03T12:00:00Z', 'Europe/Berlin')).toBe('3 Mar 2026, 13:00')
  expect(shown('2026-11-22T01:05:00Z', 'Europe/Berlin', 'de')).toBe('heute, 02:05')
  expect(shown('2026-11-21T01:05:00Z', 'Europe/Berlin', 'ja')).toBe('昨日, 02:05')
  expect(shown('2026-11-03T12:00:00Z', 'Europe/Berlin', 'ar')).toContain('3 نوفمبر')
  expect(dayOf('en', '2026-11-21T23:30:00Z', { zone: 'Europe/Berlin', now: 0 })).toBe('22 Nov 2026')
})

test('yesterday is the calendar day before today, also when the clocks change', () => {
  const dateAt = (now: string, at: string) => momentOf('en', at, { zone: 'Europe/Berlin', now: Date.parse(now) }).date
  const summerBegins = '2026-03-30T00:30:00+02:00'
  expect(dateAt(summerBegins, '2026-03-28T12:00:00+01:00')).toBe('28 Mar')
  expect(dateAt(summerBegins, '2026-03-29T12:00:00+02:00')).toBe('yesterday')
  expect(dateAt(summerBegins, '2026-03-30T00:10:00+02:00')).toBe('today')
  const summerEnds = '2026-10-25T23:30:00+01:00'
  expect(dateAt(summerEnds, '2026-10-23T12:00:00+02:00')).toBe('23 Oct')
  expect(dateAt(summerEnds, '2026-10-24T12:00:00+02:00')).toBe('yesterday')
  expect(dateAt(summerEnds, '2026-10-25T00:10:00+02:00')).toBe('today')
})

test('only zones that Intl knows are zones', () => {
  expect(['Europe/Berlin', 'UTC', 'Asia/Calcutta'].every(isTimeZone)).toBe(true)
  expect(['', 'Moon/Tycho', '../etc', 'Europe/Berlin;'].some(isTimeZone)).toBe(false)
})

test('a browser that hides its time zone, or makes one up, has none', () => {
  const { resolvedOptions } = Intl.DateTimeFormat.prototype
  const zoneWhere = (resolved: () => unknown) => {
    Intl.DateTimeFormat.prototype.resolvedOptions = resolved as typeof resolvedOptions
    try {
      return localZone()
    } finally {
      Intl.DateTimeFormat.prototype.resolvedOptions = resolvedOptions
    }
  }
  expect(zoneWhere(() => ({ timeZone: 'Asia/Tokyo' }))).toBe('Asia/Tokyo')
  expect(zoneWhere(() => ({ timeZone: 'Etc/Unknown' }))).toBe(null)
  expect(zoneWhere(() => ({ timeZone: {} }))).toBe(null)
  expect(
    zoneWhere(() => {
      throw new TypeError('forbidden')
    }),
  ).toBe(null)
})
