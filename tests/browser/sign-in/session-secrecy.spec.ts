import { createServer } from 'node:http'
import type { BrowserContext, Page } from 'playwright/test'
import { VirtualAuthenticator } from '../../passkey-fixture/virtual-authenticator'
import {
  button,
  expect,
  expectProfile,
  open,
  passwordField,
  place,
  signedOut,
  signUpWithPasskeyOnPage,
  submitSignIn,
  test,
  usernameField,
} from '../../support/browser/pages'
import { listenLocally } from '../../support/network/listen-locally'

/** Everything a script on this page can read: storage, markup and responses. */
async function readable(page: Page, answers: string[]) {
  const kept = await page.evaluate(() => [
    document.cookie,
    JSON.stringify({ ...localStorage, ...sessionStorage, state: history.state, name: window.name }),
    document.documentElement.outerHTML,
  ])
  return [...kept, ...answers].join('\n')
}

/** Collects the bodies of responses to all pages from now on. */
function collectAnswers(context: BrowserContext) {
  const bodies: Promise<string>[] = []
  context.on('response', (response) => {
    const isRedirect = response.status() >= 300 && response.status() < 400
    if (!isRedirect) bodies.push(response.text().catch(() => ''))
  })
  return () => Promise.all(bodies)
}

test('page scripts cannot read the session, however the person signed in @promise', async ({ page: first }) => {
  const answers = collectAnswers(first.context())
  const seen = new Set<string>()
  async function expectHidden(page: Page) {
    // What the browser remembers of notices, and its time zone, are all that pages may read.
    const readableCookies = await page.evaluate(() => document.cookie.split('; ').map((cookie) => cookie.split('=')[0]))
    expect(readableCookies.filter((name) => name && !['latchkey-notices', 'latchkey-zone'].includes(name))).toEqual([])
    const all = await page.context().cookies()
    expect(all.find(({ name }) => name === 'latchkey-hint')).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
    const cookies = all.filter(({ name }) => !['latchkey-notices', 'latchkey-zone', 'latchkey-hint'].includes(name))
    expect(cookies.map(({ name }) => name).sort()).toEqual(['latchkey-device', 'latchkey-session'])
    const text = await readable(page, await answers())
    for (const { name, value, httpOnly, sameSite } of cookies) {
      expect({ httpOnly, sameSite }, name).toEqual({ httpOnly: true, sameSite: 'Lax' })
      expect(value).toMatch(/^ey/)
      expect(text.includes(value), `the ${name} cookie is readable`).toBe(false)
      seen.add(value)
    }
  }
  await VirtualAuthenticator.attach(first)
  const username = await signUpWithPasskeyOnPage(first)
  await expectHidden(first)
  await first.context().clearCookies()
  await first.goto('/signin')
  await expectProfile(first, username)
  await expectHidden(first)
  await first.request.post('/api/signout')

  await first.context().clearCookies()
  const withPassword = await signedOut(first)
  // Without the authenticator, which would sign in at once.
  const second = await first.context().newPage()
  await open(second, '/signin')
  await submitSignIn(second, withPassword)
  await expectProfile(second, withPassword)
  await expectHidden(second)
  expect(seen.size).toBe(6)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a form sent without JavaScript keeps the password out of the address @promise', async ({
    page,
    context,
    server,
  }) => {
    const addresses: string[] = []
    context.on('request', (request) => addresses.push(`${request.method()} ${request.url()}`))
    await page.goto('/signin?next=%2Fpasskeys')
    // Playwright's text search skips noscript.
    await expect(page.locator('noscript > div')).toBeVisible()
    expect(await page.locator('noscript').evaluate((element) => element.textContent)).toContain('JavaScript')
    await usernameField(page).fill('somebody')
    await passwordField(page).fill('open-sesame')
    await Promise.all([page.waitForEvent('load'), button(page, 'Sign in').click()])
    expect(addresses).toContain(`POST ${server.origin}/signin?next=%2Fpasskeys`)
    expect(addresses.join('\n')).not.toContain('sesame')
    expect(place(page)).toBe('/signin?next=%2Fpasskeys')
    await expect(page.getByText('requires JavaScript')).toBeVisible()
    await page.getByRole('link', { name: 'Back to the form' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  })
})

test('a server on another port of localhost, with cookies of the names that all of them use, neither loses them nor changes a session or a language', async ({
  page,
  server,
}) => {
  const own = ['session', 'device', 'locale', 'hint', 'zone', 'notices', 'ending', 'csrftoken']
  const sent: string[] = []
  const neighbour = await listenLocally(
    createServer(({ headers }, response) => {
      sent.push(headers.cookie ?? '')
      response.setHeader(
        'Set-Cookie',
        own.map((name) => `${name}=${name === 'locale' ? 'fr' : 'signed_out'}; Path=/`),
      )
      response.setHeader('Content-Type', 'text/html').end('<title>Neighbour</title>')
    }),
  )
  try {
    const visit = () => page.request.get(`http://localhost:${neighbour.port}/`)
    await visit()
    const username = await signedOut(page)
    await visit()
    await open(page, '/signin')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await expect(page.getByRole('status')).toBeEmpty()
    await submitSignIn(page, username)
    await expectProfile(page, username)
    await visit()
    for (const name of own) expect(sent.at(-1)).toContain(`${name}=${name === 'locale' ? 'fr' : 'signed_out'}`)
    await page.reload()
    await expectProfile(page, username)
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    const ours = (await page.context().cookies(server.origin)).map(({ name }) => name)
    expect(ours.filter((name) => !own.includes(name) && !name.startsWith('latchkey-'))).toEqual([])
  } finally {
    await neighbour.close()
  }
})
