import '../../support/unit/environment'
import { expect, test } from 'playwright/test'
import { issueToken } from '@/lib/auth/tokens/tokens'
import { preparePage } from '@/lib/http/preparation/prepare-page'

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

test('a protected page is prepared for the session that the page will read: a bearer token wins over the cookie', async () => {
  const { token } = await issueToken('session', { sub: 'account', epoch: 0, amr: ['pwd'] }, 60)
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
