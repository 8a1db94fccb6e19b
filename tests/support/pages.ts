import { type BrowserContext, type ConsoleMessage, mergeTests, type Page } from 'playwright/test'
import { test as passkeysTest } from '../passkey-fixture/passkeys'
import { PASSWORD, randomName } from './accounts'
import { test as base, expect } from './fixtures'

export { expect }

type InBrowser = {
  /** What went wrong in the pages of this test, in words. A test that provokes some empties it; otherwise it must stay empty. */
  faults: string[]
}

/** Tests in a browser, with virtual passkeys, whose relative addresses are the shared server's. */
export const test = mergeTests(base, passkeysTest).extend<InBrowser>({
  baseURL: async ({ server }, use) => use(server.origin),
  context: async ({ context }, use) => {
    // Like most machines that people have, one that reaches a phone: headless Chromium keeps no passkeys and has no Bluetooth.
    await withCapabilities(context, { hybridTransport: true })
    await use(context)
  },
  faults: [
    async ({ context, server }, use) => {
      const faults: string[] = []
      // Unhandled rejections come as web errors; violations of the content security policy as console errors.
      context.on('weberror', (event) => faults.push(`threw ${event.error()}`))
      context.on('console', (message) => isFault(message) && faults.push(`${message.type()}: ${message.text()}`))
      context.on('request', (request) => {
        const { protocol, origin } = new URL(request.url())
        if (protocol.startsWith('http') && origin !== server.origin) faults.push(`asked ${request.url()}`)
      })
      await use(faults)
      expect(faults).toEqual([])
    },
    { auto: true },
  ],
})

/** Chromium writes a line of its own for every answer from 400 up; refusals are what many tests are about. */
function isFault(message: ConsoleMessage): boolean {
  return (
    ['error', 'warning'].includes(message.type()) && !/^Failed to load resource: .* status of 4/.test(message.text())
  )
}

/** Loads a page that has a button and waits until React answers for it; gives the last answer of the navigation. */
export async function open(page: Page, path: string) {
  const response = await page.goto(path)
  await ready(page)
  return response
}

/** Waits until React has taken over the buttons of the page: it then keeps their properties under a key of its own. */
export async function ready(page: Page) {
  await page.waitForFunction(() => {
    const button = document.querySelector('main button')
    return button !== null && Object.keys(button).some((key) => key.startsWith('__reactProps'))
  })
}

/** Makes an account with a password and a session for this tab and its neighbours, without any page. */
export async function signedIn(page: Page, username = randomName()) {
  const answer = await page.request.post('/api/signup', { data: { username, password: PASSWORD } })
  expect(answer.status()).toBe(201)
  return username
}

/** Makes an account with a password that nobody is signed in to here. */
export async function signedOut(page: Page) {
  const username = await signedIn(page)
  await page.context().clearCookies()
  return username
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const usernameField = (page: Page) => page.getByLabel('Username')
export const passwordField = (page: Page) => page.locator('input[name="password"]')

/** What a page says of a failure; Next has an alert region of its own outside of `main`. */
export const alert = (page: Page) => page.locator('main').getByRole('alert')
export const remark = (page: Page) => page.locator('main').getByRole('status')

/** Fills in and sends the sign-in form that is open. */
export async function submitSignIn(page: Page, username: string, password = PASSWORD) {
  await usernameField(page).fill(username)
  await passwordField(page).fill(password)
  await button(page, 'Sign in').click()
}

/** Makes a tab, or all of a window's, a browser that answers otherwise when it is asked what it can do. */
export async function withCapabilities(where: Page | BrowserContext, changes: Record<string, boolean>) {
  await where.addInitScript((changes) => {
    if (!('PublicKeyCredential' in window)) return
    const ask = PublicKeyCredential.getClientCapabilities.bind(PublicKeyCredential)
    PublicKeyCredential.getClientCapabilities = async () => ({ ...(await ask()), ...changes })
  }, changes)
}

/** A browser that does not offer passkeys by itself, so that only the button asks for one. */
export const withoutAutofill = (where: Page | BrowserContext) => withCapabilities(where, { conditionalGet: false })

/** Makes an account with a passkey on the sign-up page; ends on its profile. */
export async function signUpWithPasskey(page: Page, username = randomName()) {
  await open(page, '/signup')
  await usernameField(page).fill(username)
  await button(page, 'Create a passkey').click()
  await expectProfile(page, username)
  return username
}

export async function expectProfile(page: Page, username: string) {
  await expect(page.getByRole('heading', { name: username, exact: true })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/profile')
}

/** Keeps the server's answers to a path from the page until they are released. */
export async function holdAnswers(page: Page, path: string) {
  const held = { asked: 0, release: () => {} }
  const released = new Promise<void>((resolve) => {
    held.release = resolve
  })
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch()
    held.asked += 1
    await released
    // The page that asked may be gone by now.
    await route.fulfill({ response }).catch(() => undefined)
  })
  return held
}

/** Where the tab is, without the origin. */
export function place(page: Page): string {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}
