import type { Page } from 'playwright/test'
import { VirtualAuthenticator } from '../../passkey-fixture/virtual-authenticator'
import { PASSWORD, randomName } from '../../support/accounts'
import { layoutShifts, watchLayoutShifts } from '../../support/browser/layout-shifts'
import {
  backgroundOf,
  button,
  expect,
  expectProfile,
  expectSignedUp,
  open,
  passwordField,
  signedOut,
  submitSignIn,
  test,
  usernameField,
  withCapabilities,
} from '../../support/browser/pages'

test('a browser without passkeys shows that it has none, and signs in and up with a password', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['PublicKeyCredential', 'AuthenticatorResponse']) Reflect.deleteProperty(window, name)
  })
  const username = await signedOut(page)
  await open(page, '/signin')
  await expect(page.getByText("This browser doesn't support passkeys.")).toBeVisible()
  await expect(button(page, 'Sign in with a passkey')).toHaveCount(0)
  await submitSignIn(page, username)
  await expectProfile(page, username)

  await page.context().clearCookies()
  await open(page, '/signup')
  await expect(page.getByText("This browser doesn't support passkeys.")).toBeVisible()
  await expect(button(page, 'Use a passkey instead')).toHaveCount(0)
  const another = randomName()
  await usernameField(page).fill(another)
  await passwordField(page).fill(PASSWORD)
  await button(page, 'Create account').click()
  await expectSignedUp(page, another)
  await expect(page.getByRole('heading', { name: 'Save recovery codes' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Create a passkey on this device' })).toHaveCount(0)
  await page.goto('/passkeys')
  await expect(page.getByText("This browser doesn't support passkeys.")).toBeVisible()
  await expect(button(page, 'Add a passkey')).toHaveCount(0)
})

test('the sign-up page begins with the password where only a security key could store a passkey', async ({ page }) => {
  await withCapabilities(page, { passkeyPlatformAuthenticator: false, hybridTransport: false })
  await VirtualAuthenticator.attach(page, { kind: 'security-key' })
  await open(page, '/signup')
  await expect(passwordField(page)).toBeVisible()
  await expect(page.locator('.button-primary')).toHaveText(['Create account'])
  await expect(page.getByText('your device asks for your fingerprint')).toHaveCount(0)
  await expect(usernameField(page)).toBeFocused()
  await button(page, 'Use a security key or phone instead').click()
  await expect(passwordField(page)).toHaveCount(0)
  const username = randomName()
  await usernameField(page).fill(username)
  await button(page, 'Create account with a passkey').click()
  await expectSignedUp(page, username)

  await page.context().clearCookies()
  await page.goto('/signin')
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
})

/** Waits until the page has asked for the browser's capabilities and rendered the result. */
async function capabilitiesShown(page: Page) {
  await page.evaluate(async () => {
    const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    await drawn()
    await PublicKeyCredential.getClientCapabilities()
    await drawn()
  })
}

test('passkeys come first, on a device that stores them itself even without a phone, and the password where only a security key could sign in', async ({
  page,
}) => {
  await watchLayoutShifts(page)
  await withCapabilities(page, { passkeyPlatformAuthenticator: true, hybridTransport: false })
  await open(page, '/signup')
  await capabilitiesShown(page)
  await expect(passwordField(page)).toHaveCount(0)
  const primary = await backgroundOf(page, 'Create account with a passkey')
  await open(page, '/signin')
  await capabilitiesShown(page)
  expect(await backgroundOf(page, 'Sign in with a passkey')).toBe(primary)
  const secondary = await backgroundOf(page, 'Sign in')
  expect(secondary).not.toBe(primary)
  await withCapabilities(page, { userVerifyingPlatformAuthenticator: false, hybridTransport: true })
  await open(page, '/signup')
  await expect(page.getByText('Next, your browser shows a code: scan it with your phone.')).toBeVisible()
  await withCapabilities(page, { passkeyPlatformAuthenticator: false, hybridTransport: false })
  await open(page, '/signin')
  await expect.poll(() => backgroundOf(page, 'Sign in')).toBe(primary)
  await expect.poll(() => backgroundOf(page, 'Sign in with a passkey')).toBe(secondary)
  await capabilitiesShown(page)
  expect(await layoutShifts(page)).toEqual([])
})
