import type { Page } from 'playwright/test'
import { VirtualAuthenticator } from '../../passkey-fixture/virtual-authenticator'
import { PASSWORD, randomName, WRONG_PASSWORD } from '../../support/accounts'
import {
  alert,
  backgroundOf,
  button,
  expect,
  expectProfile,
  expectSignedUp,
  liveStatus,
  open,
  passwordField,
  submitSignIn,
  test,
  usernameField,
  withCapabilities,
  withoutAutofill,
} from '../../support/browser/pages'

/** Stands in for a person, who needs a moment to close a prompt: a virtual one ends at once. */
async function closeSlowly(page: Page) {
  await page.addInitScript(() => {
    for (const name of ['create', 'get'] as const) {
      const own = navigator.credentials[name].bind(navigator.credentials)
      navigator.credentials[name] = async (options = {}) => {
        const asked = performance.now()
        return own(options as never).catch(async (error: unknown) => {
          while (performance.now() - asked < 400) await new Promise(requestAnimationFrame)
          throw error
        })
      }
    }
  })
}

/** Stands in for a browser that opens no prompt: on a busy machine, a virtual one may take as long as a person. */
const openNoPrompt = (page: Page) =>
  page.addInitScript(() => {
    for (const name of ['create', 'get'] as const)
      navigator.credentials[name] = () => Promise.reject(new DOMException('', 'NotAllowedError'))
  })

test('cancelling the passkey prompt during sign-up and sign-in is not an error, and trying again works', async ({
  page,
}) => {
  await closeSlowly(page)
  await withoutAutofill(page)
  const authenticator = await VirtualAuthenticator.attach(page, { verified: false })
  const username = randomName()
  await open(page, '/signup')
  await usernameField(page).fill(username)
  await button(page, 'Create account with a passkey').click()
  await expect(liveStatus(page)).toHaveText('No passkey was created. Try again.')
  await expect(alert(page)).toBeEmpty()
  await expect(usernameField(page)).toHaveValue(username)
  await authenticator.setVerified(true)
  await button(page, 'Create account with a passkey').click()
  await expectSignedUp(page, username)

  await page.context().clearCookies()
  await authenticator.setVerified(false)
  await open(page, '/signin')
  await submitSignIn(page, username, WRONG_PASSWORD)
  await expect(alert(page)).toContainText('Authentication Failed')
  await button(page, 'Sign in with a passkey').click()
  // In place of the failure.
  await expect(liveStatus(page)).toHaveText('No passkey was used. Try again, or choose another way.')
  await expect(alert(page)).toBeEmpty()
  await authenticator.setVerified(true)
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
})

test('a rejected sign-up prompt speaks of a security key where nothing else could store a passkey', async ({
  page,
}) => {
  await closeSlowly(page)
  await withCapabilities(page, { passkeyPlatformAuthenticator: false, hybridTransport: false })
  await VirtualAuthenticator.attach(page, { kind: 'security-key', verified: false })
  await open(page, '/signup')
  await button(page, 'Use a security key or phone instead').click()
  await usernameField(page).fill(randomName())
  await button(page, 'Create account with a passkey').click()
  await expect(liveStatus(page)).toContainText('A security key must have a PIN and free space.')
})

test('a browser that opens no prompt is told from a closed one, and the password comes first', async ({ page }) => {
  await withoutAutofill(page)
  // A colour that is read while it changes is no button's.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openNoPrompt(page)
  await VirtualAuthenticator.attach(page)
  const username = randomName()
  const noPrompt = /^This browser didn't open a passkey prompt\./
  await open(page, '/signin')
  await button(page, 'Sign in with a passkey').click()
  await expect(liveStatus(page)).toHaveText(noPrompt)
  await expect(button(page, 'Sign in with a passkey')).toBeFocused()
  await expect
    .poll(async () => (await backgroundOf(page, 'Sign in')) === (await backgroundOf(page, 'Sign in with a passkey')))
    .toBe(false)
  const primary = await backgroundOf(page, 'Sign in')
  await open(page, '/signup')
  expect(await backgroundOf(page, 'Create account with a passkey')).toBe(primary)
  await usernameField(page).fill(username)
  await button(page, 'Create account with a passkey').click()
  await expect(liveStatus(page)).toHaveText(noPrompt)
  await expect(passwordField(page)).toBeFocused()
  await expect(page.locator('[aria-invalid]')).toHaveCount(0)
  await page.evaluate(() => Reflect.deleteProperty(navigator.credentials, 'create'))
  await button(page, 'Create account with a passkey').click()
  await expectSignedUp(page, username)
})

test('while the browser waits for a device, the button and the status say so, and the focus stays', async ({
  page,
  passkeys,
}) => {
  await withoutAutofill(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page, '/signin')
  await button(page, 'Sign in').click()
  await expect(page.locator('[aria-invalid]')).toHaveCount(2)
  await passkeys.setAnswering(false)
  const { x, width, height } = (await button(page, 'Sign in with a passkey').boundingBox()) ?? {}
  const label = page.locator('.passkey-label')
  const oneLine = (await label.boundingBox())?.height
  await button(page, 'Sign in with a passkey').click()
  const waiting = button(page, 'Waiting for your device…')
  await expect(waiting).toBeFocused()
  expect(await waiting.boundingBox()).toMatchObject({ x, width, height })
  expect((await label.boundingBox())?.height).toBe(oneLine)
  await expect(page.getByText('or use a password')).toBeHidden()
  await expect(waiting).toHaveAttribute('aria-disabled', 'true')
  await expect(liveStatus(page)).toHaveText('Waiting for your device…')
  // Pressed again, it does nothing.
  await page.keyboard.press('Enter')
  await expect(waiting).toBeFocused()
  await expect(alert(page)).toBeEmpty()
  const place = await passwordField(page).boundingBox()
  // By keyboard, since it follows the button.
  await page.keyboard.press('Tab')
  await expect(button(page, 'Cancel')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(button(page, 'Sign in with a passkey')).toBeFocused()
  await expect(liveStatus(page)).toBeEmpty()
  await expect(button(page, 'Cancel')).toHaveCount(0)
  // It pushed nothing down.
  expect(await passwordField(page).boundingBox()).toEqual(place)
  await expect(page.locator('[aria-invalid]')).toHaveCount(0)
  await passkeys.setAnswering(true)
})

/** Stands in for a broken extension, whose prompt never ends. */
const neverAnswer = (page: Page) =>
  page.addInitScript(() => {
    navigator.credentials.create = navigator.credentials.get = () => new Promise(() => undefined)
  })

test('a prompt that never ends can be cancelled, and gives way to a password, also where the browser never says what it can do', async ({
  page,
}) => {
  await withoutAutofill(page)
  await neverAnswer(page)
  await open(page, '/signup')
  const username = randomName()
  await usernameField(page).fill(username)
  await button(page, 'Create account with a passkey').click()
  await button(page, 'Cancel').click()
  await expect(button(page, 'Create account with a passkey')).toBeEnabled()
  await button(page, 'Create account with a passkey').click()
  await button(page, 'Use a password instead').click()
  await expect(liveStatus(page)).toBeEmpty()
  await passwordField(page).fill(PASSWORD)
  await button(page, 'Create account').click()
  await expectSignedUp(page, username)

  await page.context().clearCookies()
  await page.addInitScript(() => {
    const value = () => new Promise(() => undefined)
    const names = ['isConditionalMediationAvailable', 'isUserVerifyingPlatformAuthenticatorAvailable']
    for (const name of [...names, 'getClientCapabilities']) Object.defineProperty(PublicKeyCredential, name, { value })
  })
  await open(page, '/signin')
  await button(page, 'Sign in with a passkey').click()
  await expect(button(page, 'Waiting for your device…')).toBeVisible()
  await expect(button(page, 'Use a recovery code')).toBeEnabled()
  await submitSignIn(page, username)
  await expectProfile(page, username)
})
