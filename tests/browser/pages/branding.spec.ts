import type { Page } from 'playwright/test'
import { contrast } from '@/lib/colour'
import {
  alert,
  test as base,
  expect,
  open,
  place,
  signedIn,
  signedOut,
  submitSignIn,
  submitSignUp,
} from '../../support/browser/pages'
import { LOGO_SVG, logoFile } from '../../support/logos'
import { accounts } from '../../support/operator/accounts-command'
import { read } from '../../support/unit/settings'

/** So wide that it must shrink. */
const wide = LOGO_SVG.replaceAll('64', '640')

const env = {
  APP_NAME: 'Acme',
  APP_LOGO: logoFile(wide),
  APP_LOGO_DARK: logoFile(wide.replace('#7a1fa2', '#d7a6f0')),
  APP_ACCENT: '#7a1fa2',
  // A page of this site stands in for the adopter's app, which these tests would have to serve.
  HOME_URL: '/passkeys',
  TERMS_URL: 'https://www.example.com/terms',
  PRIVACY_URL: '/privacy',
  CLIENT_ORIGINS: 'Notes=https://notes.example.com, https://other.example.com',
  SUPPORT_URL: 'mailto:help@example.com',
}
const { accent } = read(env).settings ?? {}

const test = base.extend({
  server: async ({ startShared }, use) => use(await startShared({ env })),
})

/** Of an element, as `#rrggbb`. */
async function colourOf(page: Page, selector: string, property: 'color' | 'backgroundColor' | 'fill') {
  const text = await page
    .locator(selector)
    .first()
    .evaluate((element, property) => getComputedStyle(element)[property], property)
  const [red, green, blue] = (/^rgb\((\d+), (\d+), (\d+)\)$/.exec(text) ?? []).slice(1).map(Number)
  return `#${[red, green, blue].map((part = 0) => part.toString(16).padStart(2, '0')).join('')}`
}

test('the accent colours buttons and links legibly, and the logo leads to the app, in both themes and on a phone', async ({
  page,
}) => {
  const expectLogo = async (name: string) => {
    // A tile of the profile leads there, too.
    const brand = page.getByRole('link', { name: 'Acme', exact: true }).first()
    await expect(brand).toHaveAttribute('href', env.HOME_URL)
    const image = brand.getByRole('img', { name: 'Acme' })
    const shown = () => image.evaluate((element: HTMLImageElement) => [element.naturalWidth > 0, element.currentSrc])
    await expect.poll(shown).toEqual([true, new URL(`/brand/${name}`, page.url()).href])
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const shades = accent?.[colorScheme]
    await open(page, '/signin')
    const paper = await colourOf(page, 'body', 'backgroundColor')
    const link = await colourOf(page, 'main a', 'color')
    expect(link).toBe(shades?.accent)
    expect(contrast(link, paper)).toBeGreaterThanOrEqual(4.5)
    const passkeyButton = 'main button:has-text("Sign in with a passkey")'
    await expect.poll(() => colourOf(page, passkeyButton, 'backgroundColor')).toBe(shades?.accent)
    expect(await colourOf(page, passkeyButton, 'color')).toBe(shades?.onAccent)
    await expectLogo(colorScheme === 'light' ? 'logo' : 'logo-dark')
  }
  await page.setViewportSize({ width: 320, height: 640 })
  await signedIn(page)
  for (const path of ['/profile', '/signin?next=/passkeys', '/nowhere']) {
    await page.goto(path)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320)
  }
  await open(page, '/profile')
  await expectLogo('logo-dark')
})

test('every page links to terms, privacy and support, and the profile opens the app and the named origins', async ({
  page,
}) => {
  const expectLinks = async (path: string) => {
    await open(page, path)
    const footer = page.getByRole('contentinfo')
    await expect(footer.getByRole('listitem')).toHaveText(['Terms', 'Privacy', 'Support'])
    for (const [name, href] of [
      ['Terms', env.TERMS_URL],
      ['Privacy', env.PRIVACY_URL],
      ['Support', env.SUPPORT_URL],
    ] as const)
      await expect(footer.getByRole('link', { name })).toHaveAttribute('href', href)
  }
  await expectLinks('/signin')
  await signedIn(page)
  await expectLinks('/profile')
  const tiles = page.getByRole('region', { name: 'Your apps' }).getByRole('link')
  await expect(tiles).toHaveText([/Acme$/, /Notes$/])
  expect(await tiles.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
    env.HOME_URL,
    'https://notes.example.com',
  ])
})

test('signing in goes on to the app unless next says otherwise, and signing up does by way of the welcome page', async ({
  page,
}) => {
  const username = await signedOut(page)
  await open(page, '/signin')
  await submitSignIn(page, username)
  await expect.poll(() => place(page)).toBe(env.HOME_URL)
  await page.goto('/signin?next=/profile')
  expect(place(page)).toBe('/profile')
  await page.context().clearCookies()
  await open(page, '/signup')
  await submitSignUp(page)
  await expect(page.getByRole('heading', { name: "You're in" })).toBeVisible()
  await page.getByRole('link', { name: 'Continue to Acme' }).click()
  await expect.poll(() => place(page)).toBe(env.HOME_URL)
})

test('a person whose account is disabled finds the way to support', async ({ page, server }) => {
  const username = await signedOut(page)
  await accounts(server, 'disable', username)
  await open(page, '/signin')
  await submitSignIn(page, username, 'not the password')
  await expect(alert(page)).toContainText('Authentication Failed')
  await expect(alert(page).getByRole('link')).toHaveCount(0)
  await submitSignIn(page, username)
  await expect(alert(page)).toContainText('This account is disabled')
  await expect(alert(page).getByRole('link', { name: 'Contact support' })).toHaveAttribute('href', env.SUPPORT_URL)
})

test("a logo of another host is shown, no other image from elsewhere, and it is not taken for Latchkey's mark, whatever its file's name", async ({
  page,
  start,
  faults,
}) => {
  const server = await start({ env: { APP_NAME: 'Acme', APP_LOGO: 'https://logo.example/icon.svg' } })
  await page.route('https://*.example/**', (route) => route.fulfill({ body: LOGO_SVG, contentType: 'image/svg+xml' }))
  await page.goto(`${server.origin}/signin`)
  const image = page.getByRole('img', { name: 'Acme' })
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0)
  // Its letters may be dark, and it has no picture for the dark theme.
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(contrast(await colourOf(page, 'header img', 'backgroundColor'), '#000000')).toBeGreaterThan(20)
  const loads = (address: string) =>
    page.evaluate(
      (src) =>
        new Promise((done) => {
          const image = Object.assign(new Image(), { onload: () => done(true), onerror: () => done(false) })
          image.src = src
        }),
      address,
    )
  expect(await loads('https://logo.example/other.svg')).toBe(true)
  expect(await loads('https://elsewhere.example/a.svg')).toBe(false)
  await failLayout(page)
  await page.goto(`${server.origin}/signin`)
  await expect(page).toHaveTitle('Something went wrong · Acme')
  await expect(page.getByRole('img', { name: 'Acme' })).toHaveAttribute('src', 'https://logo.example/icon.svg')
  // The page asks its server, another than `server`, for more until it is left.
  await page.goto('about:blank')
  const violations = faults.splice(0).filter((fault) => fault.includes('Content Security Policy'))
  expect(violations).toEqual([expect.stringContaining("'https://elsewhere.example/a.svg'")])
})

test('under another name the mark does not spell L, on the page or in the tab', async ({
  page,
  start,
  generalServer: ours,
  faults,
}) => {
  const other = await start({ env: { APP_NAME: 'Acme' } })
  const drawing = page.getByRole('banner').locator('svg path')
  const icon = page.locator('link[rel="icon"]')
  await page.goto(`${ours.origin}/signin`)
  const key = await drawing.getAttribute('d')
  await expect(icon).toHaveAttribute('href', '/icon.svg')
  await expect(page.getByRole('contentinfo').getByRole('listitem')).toHaveCount(0)
  await expect(page.locator('head > style[nonce]')).toHaveCount(0)
  await page.goto(`${other.origin}/signin`)
  await expect(page.getByRole('link', { name: 'Acme', exact: true })).toHaveAttribute('href', '/')
  expect(await drawing.getAttribute('d')).not.toBe(key)
  const address = (await icon.getAttribute('href')) ?? ''
  expect(decodeURIComponent(address)).toContain(await drawing.getAttribute('d'))
  // The page asks its server, another than `server`, for more until it is left.
  await page.goto('about:blank')
  expect(faults.splice(0).filter((fault) => !fault.startsWith('asked '))).toEqual([])
})

/** An effect of the layout fails, outside of what stands in for a failed page. */
const failLayout = (page: Page) =>
  page.addInitScript(() => {
    const queue = window.queueMicrotask
    window.queueMicrotask = (work) => {
      if (String(work).includes('hydrated')) throw new Error('planted')
      queue(work)
    }
  })

test('a page whose layout failed has the logo and the name', async ({ page, faults }) => {
  await failLayout(page)
  for (const [colorScheme, file] of [
    ['light', '/brand/logo'],
    ['dark', '/brand/logo-dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto('/signin')
    await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible()
    await expect(page).toHaveTitle('Something went wrong · Acme')
    const logo = page.getByRole('banner').getByRole('img', { name: 'Acme' })
    const shown = await logo.evaluate((image: HTMLImageElement) => new URL(image.currentSrc).pathname)
    expect(shown).toBe(file)
  }
  expect(faults.splice(0).filter((fault) => !fault.includes('planted'))).toEqual([])
})
