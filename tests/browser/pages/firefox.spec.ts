import type { Page as ChromiumPage } from 'playwright/test'
import type { Browser, BrowserContext, Page as FirefoxPage } from 'puppeteer-core'
import { PASSWORD, randomName } from '../../support/accounts'
import { findFirefox, launchFirefox } from '../../support/browser/firefox'
import { expect, test as inChromium, open, signedIn, withCapabilities } from '../../support/browser/pages'
import { needs } from '../../support/machine/needs'

const executablePath = findFirefox()

const test = inChromium.extend<{ firefox: FirefoxPage }>({
  firefox: async ({ keep }, use) => {
    const firefoxBrowser = await keep('firefox', async (onEnd): Promise<Browser> => {
      if (!executablePath) throw new Error('Firefox is not installed')
      const browser = await launchFirefox(executablePath)
      onEnd(() => browser.close())
      return browser
    })
    const context: BrowserContext = await firefoxBrowser.createBrowserContext()
    const page = await context.newPage()
    await page.setViewport(phone)
    await use(page)
    await context.close()
  },
})

const phone = { width: 375, height: 760 }

needs('Firefox')

test('in Firefox a password signs up, opens the profile, signs out and in again', async ({ firefox, server }) => {
  const username = randomName()
  await firefox.goto(`${server.origin}/signup`)
  await hydrated(firefox)
  await firefox.locator('input[name="username"]').fill(username)
  // It has no platform authenticator on Linux, and so the form begins with the password.
  await firefox.locator('input[name="password"]').fill(PASSWORD)
  await press(firefox, 'Create account')
  // A page that is still loading could take the place of the next one.
  await firefox.waitForFunction(() => location.pathname !== '/signup' && document.readyState === 'complete')
  await firefox.goto(`${server.origin}/profile`)
  await firefox.waitForFunction((name) => document.querySelector('h1')?.textContent === name, {}, username)
  await hydrated(firefox)
  await firefox.locator('header summary').click()
  await press(firefox, 'Sign out')
  await firefox.waitForFunction(() => location.pathname === '/signin')
  await hydrated(firefox)
  await firefox.locator('input[name="username"]').fill(username)
  await firefox.locator('input[name="password"]').fill(PASSWORD)
  await press(firefox, 'Sign in')
  await firefox.waitForFunction(() => location.pathname === '/profile')
})

test('in Firefox the pages look as they do in Chromium', async ({ firefox, page, server }) => {
  await page.setViewportSize(phone)
  // What Firefox on Linux reports, so that both pages offer the same.
  await withCapabilities(page, { passkeyPlatformAuthenticator: false, hybridTransport: false, conditionalGet: false })
  for (const path of ['/signin', '/signup', '/profile']) {
    if (path === '/profile') await signInBoth(page, firefox)
    await open(page, path)
    await firefox.goto(server.origin + path)
    await hydrated(firefox)
    // Once both have settled: colours change by transition, and what a browser reports of itself arrives after hydration.
    await expect(async () => {
      const [here, there] = [await firefox.evaluate(look), await page.evaluate(look)]
      expect(Object.keys(here), path).toEqual(Object.keys(there))
      for (const [name, { box, colours }] of Object.entries(here)) {
        expect(colours, `${path} ${name}`).toBe(there[name]?.colours)
        // The two round and break lines by their own rules.
        for (const [index, length] of box.entries())
          expect(Math.abs(length - (there[name]?.box[index] ?? 0)), `${path} ${name} ${box}`).toBeLessThanOrEqual(8)
      }
    }).toPass()
  }
})

/** One session in both browsers, so that the profile has the same rows. */
async function signInBoth(page: ChromiumPage, firefox: FirefoxPage) {
  await signedIn(page)
  const cookies = await page.context().cookies()
  await firefox
    .browserContext()
    .setCookie(...cookies.map(({ name, value, domain, path, httpOnly }) => ({ name, value, domain, path, httpOnly })))
}

/** Left edge and width, and colours, of what a page shows. Runs in the page. */
function look(): Record<string, { box: number[]; colours: string }> {
  const shown = [...document.querySelectorAll('h1, h2, main input, main button, header a')].filter(
    (element) => element.getClientRects().length > 0,
  )
  return Object.fromEntries(
    shown.map((element, index) => {
      const { left, width } = element.getBoundingClientRect()
      const { color, backgroundColor, borderTopColor } = getComputedStyle(element)
      const name = `${index} ${element.tagName} ${element.getAttribute('name') ?? element.textContent?.trim()}`
      return [name, { box: [left, width], colours: [color, backgroundColor, borderTopColor].join() }]
    }),
  )
}

/** Waits until React has taken over the page's first button. */
const hydrated = (page: FirefoxPage) =>
  page.waitForFunction(() =>
    Object.keys(document.querySelector('main button') ?? {}).some((key) => key.startsWith('__reactProps')),
  )

/** By its text: puppeteer asks for a role only after changes of the document, and Firefox knows the role of what has appeared later. */
const press = (page: FirefoxPage, name: string) =>
  page.locator(`::-p-xpath(//button[normalize-space()="${name}"])`).click()
