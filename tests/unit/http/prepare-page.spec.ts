import '../../support/unit/environment'
import { expect, test } from 'playwright/test'
import { preparePage } from '@/lib/http/preparation/prepare-page'

test('a flash message is removed by the page that shows it, and not by a redirect on the way there', async () => {
  const cookiesFor = async (search: string) => {
    const headers = new Headers({ Cookie: '__Host-ending=signed_out; ending=signed_out' })
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
