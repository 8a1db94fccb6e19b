import type { Page } from 'playwright/test'
import { createRecoveryCodesOnPage } from '../../support/browser/account-pages'
import {
  test as base,
  button,
  expect,
  expectProfile,
  open,
  signUpWithPasskeyOnPage,
  usernameField,
} from '../../support/browser/pages'

const test = base.extend({
  server: async ({ startShared }, use) => use(await startShared({ env: { PASSWORDS: 'off' } })),
})

const expectNoPassword = async (page: Page) => {
  await expect(page.locator('input[type="password"]')).toHaveCount(0)
  await expect(page.locator('main').getByRole('button', { name: /password/i })).toHaveCount(0)
  await expect(page.locator('main').getByRole('link', { name: /password/i })).toHaveCount(0)
}

test('without passwords a person signs up and in with a passkey, and by a recovery code, and no page offers a password', async ({
  page,
  passkeys: _,
}) => {
  await open(page, '/signup')
  await expectNoPassword(page)
  const username = await signUpWithPasskeyOnPage(page)
  await expectNoPassword(page)
  const [code = ''] = await createRecoveryCodesOnPage(page)
  await open(page, '/passkeys')
  await expectNoPassword(page)
  await page.context().clearCookies()
  await open(page, '/signin')
  await expectNoPassword(page)
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)

  await page.context().clearCookies()
  await open(page, '/signin?recover')
  await usernameField(page).fill(username)
  await page.getByLabel('Recovery code').fill(code)
  await button(page, 'Sign in').click()
  await expectProfile(page, username)
  await expect(page.getByRole('heading', { name: 'Create a new passkey' })).toBeVisible()
  await expectNoPassword(page)
})

test('without passwords and passkeys a sign-up page says where to go, and sign-in offers recovery codes', async ({
  page,
}) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'))
  await page.goto('/signup')
  await expect(page.getByText('You need a passkey here. Try another browser or device.')).toBeVisible()
  await expect(usernameField(page)).toHaveCount(0)
  await open(page, '/signin')
  await expect(page.getByText("This browser doesn't support passkeys.")).toBeVisible()
  await button(page, 'Use a recovery code').click()
  await expect(page.getByLabel('Recovery code')).toBeVisible()
})
