import type { Page } from 'playwright/test'
import { VirtualAuthenticator } from '../../passkey-fixture/virtual-authenticator'
import { PASSWORD } from '../../support/accounts'
import {
  account,
  addPasskey,
  createRecoveryCodesOnPage,
  section,
  statusMessage,
} from '../../support/browser/account-pages'
import {
  alert,
  button,
  expect,
  expectProfile,
  liveStatus,
  open,
  ready,
  signedIn,
  signUpWithPasskeyOnPage,
  signUpWithPasswordOnPage,
  test,
  withoutAutofill,
} from '../../support/browser/pages'
import { requestSession } from '../../support/browser/step-up'

const promotion = (page: Page) => section(page, 'Create a passkey on this device')
const crossDevice = (page: Page) => section(page, 'Create a passkey on this device, too')

test('signing up with a password leads to a suggestion that creates a passkey on this device @promise', async ({
  page,
  passkeys: _,
}) => {
  await signUpWithPasswordOnPage(page)
  await ready(page)
  const options = page.waitForResponse('**/api/auth/register/options')
  await promotion(page).getByRole('button', { name: 'Create a passkey' }).click()
  expect(await (await options).json()).toMatchObject({
    hints: ['client-device'],
    authenticatorSelection: { authenticatorAttachment: 'platform', residentKey: 'required' },
  })
  await expect(statusMessage(page, 'Passkey added. You can use it the next time you sign in.')).toBeVisible()
  await expect(promotion(page)).toHaveCount(0)
  await expect(section(page, 'Passkeys')).toContainText('1 passkey')
})

test('a device that signs in with a password is offered a passkey although another device has one, unless it has it too', async ({
  page,
  passkeys,
}) => {
  const username = await signedIn(page)
  await open(page, '/passkeys')
  await addPasskey(page)
  await open(page, '/profile')
  await expect(page.getByRole('heading', { name: 'Save recovery codes' })).toBeVisible()
  await requestSession(page, '/api/signin', { username, password: PASSWORD })
  await open(page, '/profile')
  await expect(promotion(page)).toContainText("Don't do this on a shared device.")
  await promotion(page).getByRole('button', { name: 'Create a passkey' }).click()
  await expect(alert(page)).toContainText('You already have a passkey here')
  await expect(promotion(page)).toHaveCount(0)
  await expect(section(page, 'Save recovery codes')).toBeFocused()
  // On a device without it, as a new one is.
  await passkeys.deleteOnDevice()
  await page.evaluate(() => sessionStorage.clear())
  await requestSession(page, '/api/signin', { username, password: PASSWORD })
  await open(page, '/profile')
  await promotion(page).getByRole('button', { name: 'Create a passkey' }).click()
  await expect(statusMessage(page, 'Passkey added.')).toBeVisible()
  await expect(promotion(page)).toHaveCount(0)
})

test('dismissing a suggestion is announced, keeps the place of the keyboard, and lasts in the same tab', async ({
  page,
  passkeys: _,
}) => {
  await signedIn(page)
  await open(page, '/profile')
  const codes = section(page, 'Save recovery codes')
  for (const [suggestion, isLast] of [
    [promotion(page), false],
    [codes, true],
  ] as const) {
    await suggestion.getByRole('button', { name: 'Not now' }).focus()
    await page.keyboard.press('Enter')
    await expect(suggestion).toHaveCount(0)
    await expect(liveStatus(page)).toContainText('Suggestion dismissed.')
    if (!isLast) await expect(codes).toBeFocused()
  }
  await page.keyboard.press('Tab')
  await expect(page.locator('main :focus')).toHaveCount(1)
  await open(page, '/profile')
  await expect(section(page, 'Account')).toBeVisible()
  await expect(promotion(page)).toHaveCount(0)
})

test('signing in with a recovery code suggests a new way to sign in until one is set up', async ({
  page,
  passkeys: _,
}) => {
  const username = await signedIn(page)
  const [code] = await createRecoveryCodesOnPage(page)
  await page.context().clearCookies()
  await requestSession(page, '/api/signin/recovery', { username, code })
  await open(page, '/profile')
  const reminder = section(page, 'Set up a new way to sign in')
  await expect(reminder.getByRole('button', { name: 'Not now' })).toHaveCount(0)
  await expect(reminder.getByText('Lost a device?')).toHaveCount(0)
  await reminder.getByRole('link', { name: 'Change password' }).click()
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused()
  await reminder.getByRole('button', { name: 'Create a passkey' }).click()
  await expect(reminder).toHaveCount(0)
  expect((await account(page)).passkeys).toHaveLength(1)

  const [another] = await createRecoveryCodesOnPage(page)
  await requestSession(page, '/api/signin/recovery', { username, code: another })
  await open(page, '/profile')
  await expect(reminder).toContainText('Lost a device? Remove its passkey.')
  await reminder.getByRole('link', { name: 'Remove its passkey.' }).click()
  await page.waitForURL('/passkeys')
})

test('signing in with the passkey of a phone suggests a passkey on this device', async ({ page }) => {
  await withoutAutofill(page)
  const phone = await VirtualAuthenticator.attach(page, { kind: 'phone' })
  const username = await signUpWithPasskeyOnPage(page)
  await createRecoveryCodesOnPage(page)
  await page.context().clearCookies()
  await open(page, '/signin')
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
  // From here on this device stores passkeys; before, the phone had to answer.
  await phone.session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: phone.id })
  await VirtualAuthenticator.attach(page)
  await open(page, '/profile')
  const options = page.waitForResponse('**/api/auth/register/options')
  await crossDevice(page).getByRole('button', { name: 'Create a passkey' }).click()
  expect((await (await options).json()).authenticatorSelection.authenticatorAttachment).toBe('platform')
  await expect(crossDevice(page)).toHaveCount(0)
  await expect(section(page, 'Passkeys')).toContainText('2 passkeys')
  await open(page, '/profile')
  await expect(crossDevice(page)).toHaveCount(0)
})

test('a device that stores no passkeys gets no passkey suggestion, except after a recovery code for another device', async ({
  page,
}) => {
  await VirtualAuthenticator.attach(page, { kind: 'security-key' })
  const username = await signedIn(page)
  await open(page, '/profile')
  await expect(page.getByRole('heading', { name: 'Save recovery codes' })).toBeVisible()
  await expect(promotion(page)).toHaveCount(0)
  const [code] = await createRecoveryCodesOnPage(page)
  await requestSession(page, '/api/signin/recovery', { username, code })
  await open(page, '/profile')
  await section(page, 'Set up a new way to sign in').getByRole('button', { name: 'Create a passkey' }).click()
  await expect(section(page, 'Passkeys')).toContainText('1 passkey')
})
