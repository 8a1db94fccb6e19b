import type { Page, Response } from 'playwright/test'
import { wordsIn } from '@/lib/messages/catalogues'
import { dayOf } from '@/lib/messages/format/dates'
import { languageOf, locales } from '@/lib/messages/locales'
import { randomName, register, signInElsewhere, signInWithPassword } from '../../support/accounts'
import { expectToFitPhone } from '../../support/browser/fit'
import { expect, ready, signedIn, signedInPages, test } from '../../support/browser/pages'
import { storeStepUp } from '../../support/browser/step-up'
import { Client } from '../../support/client'
import type { Server } from '../../support/server/server'
import { Authenticator } from '../../support/webauthn/authenticator'

const signedOutPages = ['/', '/signin', '/signup']

/** In the languages between the longest words and the other direction, the pages with the most text. */
const fullest = ['/profile', '/passkeys', '/welcome', '/secure']

// Other specs look at English.
for (const locale of locales.slice(1))
  test.describe(`in ${locale}`, () => {
    test.use({ locale })

    test(`pages in ${locale} say so, run in its direction and fit on a phone with the longest username, also with text of 200 %`, async ({
      page,
      server,
      faults,
    }) => {
      const isExtreme = ['de', 'ar'].includes(locale)
      for (const path of ['/signin', '/signup']) await expectIn(page, path, locale)
      await addPasskeysElsewhere(server, await signedIn(page, `${randomName()}${'m'.repeat(64)}`.slice(0, 64)))
      // Opening their setting makes the first codes, and would ask for a credential.
      await page.route('**/api/i/recovery-codes', () => undefined)
      for (const path of isExtreme ? signedInPages : fullest) await expectIn(page, path, locale)
      if (!isExtreme) return
      await page.unroute('**/api/i/recovery-codes')
      await page.goto('/welcome')
      await expectRoomForCodes(page)
      await page.goto('/passkeys')
      await expectRoomForFailedSignOut(page)
      expect(faults.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')])
    })
  })

/** Gives pages what they list: passkeys, sessions, and notices, one of them of two browsers. */
async function addPasskeysElsewhere(server: Server, username: string) {
  for (const system of ['Android 14; Mobile', 'Windows NT 10.0']) {
    const agent = `Mozilla/5.0 (${system}; rv:140.0) Gecko/140.0 Firefox/140.0`
    const client = new Client(server, { headers: { 'User-Agent': agent } })
    expect((await signInWithPassword(client, username)).status).toBe(200)
    expect((await register(client, new Authenticator(server.origin))).status).toBe(201)
  }
}

async function expectRoomForCodes(page: Page) {
  await ready(page)
  await storeStepUp(page)
  await page.locator('[aria-labelledby="protect"] button').first().click()
  await page.locator('[data-sheet]').waitFor()
  await expectToFitPhone(page, 'recovery codes')
}

async function expectRoomForFailedSignOut(page: Page) {
  await page.route('**/api/signout', (route) => route.abort())
  await ready(page)
  await page.locator('header summary').click()
  await page.locator('header button').click()
  await page.locator('header [data-tone="danger"]').waitFor()
  await expectToFitPhone(page, 'a failed sign-out')
}

async function expectIn(page: Page, path: string, locale: (typeof locales)[number]) {
  expect((await page.goto(path))?.headers()['content-language'], path).toBe(locale)
  const written = await page.evaluate(() => {
    const { lang, dir } = document.documentElement
    return { lang, dir }
  })
  expect(written, path).toEqual({ lang: locale, dir: languageOf(locale).direction })
  await expectToFitPhone(page, path)
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the language switch works without JavaScript, keeps the query and outlasts the session', async ({
    page,
    context,
  }) => {
    await page.goto('/signin?next=%2Fpasskeys')
    await page.getByText('Language: English').click()
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Anmelden')
    expect(new URL(page.url()).search).toBe('?next=%2Fpasskeys')
    const [cookie] = (await context.cookies()).filter(({ name }) => name === 'latchkey-locale')
    expect(cookie).toMatchObject({ value: 'de', httpOnly: true, sameSite: 'Lax', path: '/' })
    await page.goto('/signup')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Konto erstellen')
    await page.goto('/signup?locale=xx')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Konto erstellen')
  })
})

test('the language switch and the link to sign-up or sign-in keep a typed username, but no password', async ({
  page,
}) => {
  for (const [path, title, other] of [
    ['/signup', 'Konto erstellen', 'Anmelden'],
    ['/signin', 'Anmelden', 'Konto erstellen'],
  ] as const) {
    await page.goto(`${path}?locale=en`)
    await ready(page)
    const username = page.locator('input[name="username"]')
    await username.fill('ada')
    await page.getByText('Language: English').click()
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(username).toHaveValue('ada')
    expect(await page.evaluate(() => Object.values(sessionStorage))).toEqual([])
    await page.getByRole('link', { name: other }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(other)
    await expect(username).toHaveValue('ada')
    expect(new URL(page.url()).search).not.toContain('ada')
  }
})

test('the language switch keeps the query of a page that failed', async ({ page, faults }) => {
  await signedIn(page)
  await page.addInitScript(() => {
    Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
      get: () => {
        throw new Error('planted')
      },
    })
  })
  await page.goto('/profile?a=1&b=2&a=3')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(wordsIn('en').failedPage.title)
  await expect(page).toHaveTitle(`${wordsIn('en').failedPage.title} · Latchkey`)
  await page.getByText('Language: English').click()
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(wordsIn('de').failedPage.title)
  expect(new URL(page.url()).searchParams.getAll('a')).toEqual(['1', '3'])
  expect(faults.splice(0).filter((fault) => !fault.includes('planted'))).toEqual([])
})

test('a page brings its own words only, in one language, and its scripts bring none', async ({ page }) => {
  const scripts: Promise<string>[] = []
  const keep = (response: Response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.text())
  }
  page.on('response', keep)
  const html = await (await page.goto('/signin', { waitUntil: 'networkidle' }))?.text()
  // A script that comes later, on a slow machine, would outlast the test.
  page.off('response', keep)
  expect(html).toContain(wordsIn('en').failures.titles.offline)
  expect(html).not.toContain(wordsIn('en').profile.codesLost)
  expect(html).not.toContain(wordsIn('de').failures.titles.offline)
  const code = (await Promise.all(scripts)).join()
  for (const locale of locales) expect(code).not.toContain(wordsIn(locale).failures.titles.offline)
})

const pseudo = test.extend({
  server: async ({ startShared }, use) => use(await startShared({ env: { LOCALE: 'en-XA' } })),
})

pseudo(
  'in the pseudo-language all text comes from the catalogue, fits, and there is no switch',
  async ({ page, server }) => {
    for (const path of signedOutPages) await expectPseudo(page, path, [])
    const username = await signedIn(page)
    await signInElsewhere(server, username)
    for (const path of signedInPages) await expectPseudo(page, path, [username])
  },
)

/** Text that is no message: names, and what stands between two messages. */
async function expectPseudo(page: Page, path: string, names: string[]) {
  await page.goto(path)
  const stray = await page.evaluate(() => {
    const texts: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode
      // A message around an element is several nodes: the brackets are its parent's.
      const around = `${textContent}${parentElement?.closest('p, h1, h2, h3, button, a, label, dd, time')?.textContent}`
      if (parentElement?.closest('script, style, noscript') || around.includes('⟦')) continue
      if (textContent?.trim()) texts.push(textContent.trim())
    }
    return texts
  })
  // Dates are Intl's, and the browser's name is a name.
  const now = Date.now()
  // Midnight may have come since.
  const days = [now, now - 86_400_000].map((day) => dayOf('en-XA', new Date(day).toISOString(), { zone: null, now }))
  const known = ['Latchkey', 'Chrome · Linux', ...days, ...names]
  expect(
    stray.filter((text) => !known.includes(text) && /\p{L}/u.test(text)),
    path,
  ).toEqual([])
  await expect(page.getByText('Deutsch')).toHaveCount(0)
  await expectToFitPhone(page, path)
}
