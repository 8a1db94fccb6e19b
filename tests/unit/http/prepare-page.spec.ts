import '../../support/unit/environment'
import { readdirSync } from 'node:fs'
import { expect, test } from 'playwright/test'
import { issueToken } from '@/lib/auth/tokens/tokens'
import { isAdminPath, ownPages, preparePage } from '@/lib/http/pages/prepare'

/** A fork names the pages here that it adds. */
const pagesOfFork: string[] = []

test("the list of Latchkey's pages names each page of the folder app, and no other", () => {
  const built = readdirSync('app', { recursive: true, encoding: 'utf8' })
    .map((file) => `/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('/page.tsx'))
    .map((file) => file.slice(0, -'/page.tsx'.length) || '/')
  const own = built.filter((path) => !isAdminPath(path) && !pagesOfFork.includes(path))
  expect(own.sort()).toEqual([...ownPages].sort())
})

test('a flash message is removed by the page that shows it, and not by a redirect on the way there', async () => {
  const cookiesFor = async (search: string) => {
    const headers = new Headers({ Cookie: '__Host-ending=signed_out; latchkey-ending=signed_out' })
    const { cookies, redirection } = await preparePage({ path: '/signin', search, headers }, [])
    return {
      isRedirected: redirection !== null,
      removed: cookies.filter((cookie) => cookie.includes('ending=;')).length,
    }
  }
  expect(await cookiesFor('')).toEqual({ isRedirected: false, removed: 1 })
  for (const search of ['?locale=de', '?forget='])
    expect(await cookiesFor(search)).toEqual({ isRedirected: true, removed: 0 })
})

test("a page is in the app's language while it belongs to the app's request, unless the person chose one, and no cookie keeps it", async () => {
  const languageOf = async (path: string, search: string, headers = {}) => {
    const page = { path, search, headers: new Headers({ 'Accept-Language': 'es', ...headers }) }
    const { cookies, headers: set } = await preparePage(page, [])
    return [set['Content-Language'], cookies]
  }
  const next = (parameters: string) =>
    `?${new URLSearchParams({ next: `/api/oauth/authorize?client_id=x${parameters}` })}`
  const request = next('&ui_locales=xx+de-AT+fr')
  expect(await languageOf('/signin', request)).toEqual(['de', []])
  expect(await languageOf('/welcome', request)).toEqual(['de', []])
  expect(await languageOf('/consent', '?request=x&ui_locales=ja')).toEqual(['ja', []])
  const chosen = { Cookie: '__Host-locale=fr; latchkey-locale=fr' }
  expect(await languageOf('/signin', request, chosen)).toEqual(['fr', []])
  for (const search of [
    '',
    next(''),
    next('&ui_locales=xx'),
    '?next=%2Fprofile%3Fui_locales%3Dde',
    '?ui_locales=de%00',
  ])
    expect(await languageOf('/signin', search), search).toEqual(['es', []])
})

test('a protected page is prepared for the session that the page will read: a bearer token wins over the cookie', async () => {
  const { token } = await issueToken('session', { sub: 'account', epoch: 0, amr: ['pwd'], auth_time: 0 }, 60)
  const redirectedTo = async (headers: Record<string, string>) => {
    const page = { path: '/profile', search: '', headers: new Headers(headers) }
    return (await preparePage(page, ['/profile'])).redirection?.path ?? null
  }
  const cookie = { Cookie: `__Host-session=${token}; latchkey-session=${token}` }
  expect(await redirectedTo({})).toBe('/signin')
  expect(await redirectedTo(cookie)).toBeNull()
  expect(await redirectedTo({ Authorization: `Bearer ${token}` })).toBeNull()
  // No session of ours: the page rejects it, too.
  expect(await redirectedTo({ ...cookie, Authorization: 'Bearer foreign' })).toBe('/signin')
})
