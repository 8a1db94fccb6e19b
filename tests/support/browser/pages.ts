import { type BrowserContext, mergeTests, type Page } from 'playwright/test'
import { protectedPages } from '@/lib/http/pages/prepare'
import { test as passkeysTest } from '../../passkey-fixture/passkeys'
import { PASSWORD, randomName } from '../accounts'
import { test as base, expect } from '../fixtures'
import { watchFaults } from './faults'
import { forgetStepUp, requestSession, storeStepUp } from './step-up'

export { expect }

type InBrowser = {
  /**
   * Errors, warnings and foreign requests of this test's pages. Must be empty at the end, so a test that provokes some removes
   * them.
   */
  faults: string[]
}

/** Browser tests with virtual passkeys and the shared server as base address. */
export const test = mergeTests(base, passkeysTest).extend<InBrowser>({
  runsOn: ['Chromium'],
  baseURL: async ({ server }, use) => use(server.origin),
  context: async ({ context }, use) => {
    // Like most machines, one that can reach a phone: headless Chromium stores no passkeys and has no Bluetooth. Like most
    // browsers, one whose button opens the usual prompt.
    await withCapabilities(context, { hybridTransport: true, immediateGet: false })
    await use(context)
  },
  faults: [
    async ({ context, server }, use) => {
      const faults = watchFaults(context, server.origin)
      await use(faults)
      expect(faults).toEqual([])
    },
    { auto: true },
  ],
})

/** With what each needs to show something: /notices leads on at once where it has nothing to show. */
export const signedInPages = [...protectedPages, '/consent', '/signout'].map((path) =>
  path === '/notices' ? '/notices?next=/passkeys' : path,
)

/** Loads a page with a button and waits for its hydration. @returns the navigation's last response */
export async function open(page: Page, path: string) {
  const response = await page.goto(path)
  await ready(page)
  await storeStepUp(page)
  return response
}

/** Waits until the page's first button is hydrated: React then stores its properties on the element. */
export async function ready(page: Page) {
  await page.waitForFunction(() => {
    const button = document.querySelector('main button') ?? document.querySelector('header button')
    return button !== null && Object.keys(button).some((key) => key.startsWith('__reactProps'))
  })
}

/** Creates an account with a password and signs the browser in, without opening a page. The step-up token is the tab's. */
export async function signedIn(page: Page, username = randomName()) {
  await requestSession(page, '/api/signup', { username, password: PASSWORD })
  return username
}

/** Creates an account with a password and leaves the browser signed out. */
export async function signedOut(page: Page) {
  const username = await signedIn(page)
  await page.context().clearCookies()
  await forgetStepUp(page)
  return username
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** The background colour of a button, by which the primary one is known. */
export const backgroundOf = (page: Page, name: string) =>
  button(page, name).evaluate((element) => getComputedStyle(element).backgroundColor)

export const usernameField = (page: Page) => page.getByRole('textbox', { name: 'Username' })
export const passwordField = (page: Page) => page.locator('input[name="password"]')

/** The page's live regions. Next has an alert region of its own outside `main`. */
export const alert = (page: Page) => page.locator('main').getByRole('alert')
export const liveStatus = (page: Page) => page.locator('main').getByRole('status')

/** Fills in and sends the open sign-in form. */
export async function submitSignIn(page: Page, username: string, password = PASSWORD) {
  await usernameField(page).fill(username)
  await passwordField(page).fill(password)
  await button(page, 'Sign in').click()
}

/** Fills in and sends the open sign-up form, with a password. */
export async function submitSignUp(page: Page, username = randomName()) {
  await usernameField(page).fill(username)
  await button(page, 'Use a password instead').click()
  await passwordField(page).fill(PASSWORD)
  await button(page, 'Create account').click()
}

/** Presses the button in the menu with the account's name. */
export async function pressSignOut(page: Page) {
  await page.locator('header summary').click()
  await button(page, 'Sign out').click()
}

/** Overrides the browser's capabilities for a page or context. */
export async function withCapabilities(where: Page | BrowserContext, changes: Record<string, boolean>) {
  await where.addInitScript((changes) => {
    if (!('PublicKeyCredential' in window)) return
    const ask = PublicKeyCredential.getClientCapabilities.bind(PublicKeyCredential)
    PublicKeyCredential.getClientCapabilities = async () => ({ ...(await ask()), ...changes })
  }, changes)
}

/** Turns passkey autofill off, so that only the button starts a ceremony. */
export const withoutAutofill = (where: Page | BrowserContext) => withCapabilities(where, { conditionalGet: false })

/** Signs up with a passkey on the sign-up page; ends on the profile. */
export async function signUpWithPasskeyOnPage(page: Page, username = randomName()) {
  await open(page, '/signup')
  await usernameField(page).fill(username)
  await button(page, 'Create account with a passkey').click()
  await expectSignedUp(page, username)
  return username
}

/** Signs up with a password on the sign-up page; ends on the profile. */
export async function signUpWithPasswordOnPage(page: Page, username = randomName()) {
  await open(page, '/signup')
  await submitSignUp(page, username)
  await expectSignedUp(page, username)
  return username
}

/** Expects the page that follows signing up, and goes on to the profile. */
export async function expectSignedUp(page: Page, username: string) {
  await expect(page.getByRole('heading', { name: "You're in" })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(username)
  // What this browser cannot do leaves the page then, and would take the link away between press and release.
  await ready(page)
  await page.getByRole('link', { name: 'Continue' }).click()
  await expectProfile(page, username)
}

export async function expectProfile(page: Page, username: string) {
  await expect(page.getByRole('heading', { name: username, exact: true })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/profile')
}

/** The tab's path and query. */
export function place(page: Page): string {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}
