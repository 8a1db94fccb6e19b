import type { Page } from 'playwright/test'
import { account, makeCodes, section } from '../account-pages'
import { PASSWORD, randomName } from '../accounts'
import {
  button,
  expect,
  expectProfile,
  open,
  passwordField,
  ready,
  signedIn,
  signUpWithPasskey,
  test,
  usernameField,
  withoutAutofill,
} from '../pages'
import { VirtualAuthenticator } from '../virtual-authenticator'

const promotion = (page: Page) => section(page, 'Create a passkey on this device')
const crossDevice = (page: Page) => section(page, 'Create a passkey on this device, too')

test('after signing up with a password a passkey of this very device is offered, and made', async ({ page }) => {
  await VirtualAuthenticator.attach(page)
  const username = randomName()
  await open(page, '/signup')
  await usernameField(page).fill(username)
  await button(page, 'Use a password instead').click()
  await passwordField(page).fill(PASSWORD)
  await button(page, 'Create account').click()
  await expectProfile(page, username)
  await ready(page)
  const options = page.waitForResponse('**/api/auth/register/options')
  await promotion(page).getByRole('button', { name: 'Create a passkey' }).click()
  expect(await (await options).json()).toMatchObject({
    hints: ['client-device'],
    authenticatorSelection: { authenticatorAttachment: 'platform', residentKey: 'required' },
  })
  await expect(page.getByText('The passkey was added. Next time it signs you in.')).toBeVisible()
  await expect(promotion(page)).toHaveCount(0)
  await expect(section(page, 'Passkeys')).toContainText('1')
})

test('the button on the passkeys page leaves open which device makes it', async ({ page }) => {
  await VirtualAuthenticator.attach(page)
  await signedIn(page)
  await open(page, '/passkeys')
  const options = page.waitForResponse('**/api/auth/register/options')
  await button(page, 'Add a passkey').click()
  expect((await (await options).json()).authenticatorSelection).not.toHaveProperty('authenticatorAttachment')
})

test('whoever says "Not now" is not asked again in this tab', async ({ page }) => {
  await VirtualAuthenticator.attach(page)
  await signedIn(page)
  await open(page, '/profile')
  await promotion(page).getByRole('button', { name: 'Not now' }).click()
  await expect(promotion(page)).toHaveCount(0)
  await open(page, '/profile')
  await expect(page.getByRole('heading', { name: 'Be ready for a lost device' })).toBeVisible()
  await expect(promotion(page)).toHaveCount(0)
})

test('no passkey is offered where the browser has none', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'))
  await signedIn(page)
  await open(page, '/profile')
  await expect(page.getByRole('heading', { name: 'Be ready for a lost device' })).toBeVisible()
  await expect(promotion(page)).toHaveCount(0)
  await page.goto('/passkeys')
  await expect(page.getByText('This browser has no passkeys.')).toBeVisible()
  await expect(button(page, 'Add a passkey')).toHaveCount(0)
})

test('a recovery code leads to a new way in, which ends the reminder', async ({ page }) => {
  await VirtualAuthenticator.attach(page)
  const username = await signedIn(page)
  const [code] = await makeCodes(page)
  await page.context().clearCookies()
  await page.request.post('/api/signin/recovery', { data: { username, code } })
  await open(page, '/profile')
  const reminder = section(page, 'Make a new way to sign in')
  await expect(reminder.getByRole('button', { name: 'Not now' })).toHaveCount(0)
  await reminder.getByRole('link', { name: 'Change password' }).click()
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused()
  await reminder.getByRole('button', { name: 'Create a passkey' }).click()
  await expect(reminder).toHaveCount(0)
  expect((await account(page)).passkeys).toHaveLength(1)
})

/** A phone near the computer, or a security key, with the passkey that another authenticator holds. */
async function attachRemote(page: Page, transport: 'cable' | 'usb', credentials: object[]) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { session, authenticatorId, credentials }
}

for (const transport of ['cable', 'usb'] as const) {
  const phone = transport === 'cable'
  test(`a sign-in with the passkey of a ${phone ? 'phone offers' : 'security key does not offer'} one of this device`, async ({
    page,
  }) => {
    await withoutAutofill(page)
    const remote = await attachRemote(page, transport, [])
    const username = await signUpWithPasskey(page)
    await makeCodes(page)
    await page.context().clearCookies()
    await open(page, '/signin')
    await button(page, 'Sign in with a passkey').click()
    await expectProfile(page, username)
    await ready(page)
    await expect(crossDevice(page)).toHaveCount(phone ? 1 : 0)
    if (!phone) return
    await remote.session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: remote.authenticatorId })
    await VirtualAuthenticator.attach(page)
    await crossDevice(page).getByRole('button', { name: 'Create a passkey' }).click()
    await expect(crossDevice(page)).toHaveCount(0)
    await expect(section(page, 'Passkeys')).toContainText('2')
    await page.reload()
    await ready(page)
    await expect(crossDevice(page)).toHaveCount(0)
  })
}
