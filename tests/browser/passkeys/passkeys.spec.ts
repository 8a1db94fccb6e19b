import { VirtualAuthenticator } from '../../passkey-fixture/virtual-authenticator'
import {
  alert,
  button,
  expect,
  expectProfile,
  liveStatus,
  open,
  place,
  pressSignOut,
  ready,
  signedIn,
  signUpWithPasskeyOnPage,
  test,
  withoutAutofill,
} from '../../support/browser/pages'

test('a passkey signs up, and signs in by button and by autofill', async ({ page, context }) => {
  await withoutAutofill(page)
  const authenticator = await VirtualAuthenticator.attach(page)
  const username = await signUpWithPasskeyOnPage(page)
  await expect(page.getByText('Not set')).toBeVisible()
  expect(await authenticator.credentials()).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }])

  await ready(page)
  await pressSignOut(page)
  await page.waitForURL('/signin')
  await ready(page)
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)

  await context.clearCookies()
  const other = await context.newPage()
  await VirtualAuthenticator.attach(other, { credentials: await authenticator.credentials() })
  await other.goto('/signin')
  await expectProfile(other, username)
})

test('passkey autofill signs in without a username and continues to the requested page', async ({
  page,
  passkeys: _,
}) => {
  await signUpWithPasskeyOnPage(page)
  await page.context().clearCookies()
  await page.goto('/passkeys')
  await expect(page.getByRole('heading', { name: 'Passkeys', exact: true })).toBeVisible()
  expect(place(page)).toBe('/passkeys')
})

test('the list of passkeys starts empty and shows a new passkey immediately', async ({ page, passkeys: _ }) => {
  await signedIn(page)
  await open(page, '/passkeys')
  await expect(page.getByRole('heading', { name: 'No passkeys yet' })).toBeVisible()
  await expect(page.getByRole('listitem')).toHaveCount(0)
  await button(page, 'Add a passkey').click()
  await expect(liveStatus(page)).toHaveText('Passkey added.')
  await expect(page.getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('listitem')).toContainText('Not used yet')
  await expect(page.getByRole('heading', { name: 'No passkeys yet' })).toHaveCount(0)
})

test('an added passkey signs in to its account', async ({ page, passkeys: _ }) => {
  const username = await signedIn(page)
  await open(page, '/passkeys')
  await button(page, 'Add a passkey').click()
  await expect(page.getByRole('listitem')).toHaveCount(1)
  await page.context().clearCookies()
  await page.goto('/signin')
  await expectProfile(page, username)
})

test('a device that already has a passkey for the account gets no second one', async ({ page, passkeys }) => {
  await signUpWithPasskeyOnPage(page)
  await open(page, '/passkeys')
  await button(page, 'Add a passkey').click()
  await expect(alert(page)).toContainText('You already have a passkey here')
  await expect(page.getByRole('listitem')).toHaveCount(1)
  expect(await passkeys.credentials()).toHaveLength(1)
})
