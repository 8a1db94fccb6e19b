import type { Page } from 'playwright/test'
import { PASSWORD, randomName, signInWithPassword } from '../../support/accounts'
import { account, dialog, section, statusMessage } from '../../support/browser/account-pages'
import {
  button,
  expect,
  expectProfile,
  liveStatus,
  open,
  place,
  ready,
  signedIn,
  signedOut,
  signUpWithPasskeyOnPage,
  submitSignIn,
  test,
} from '../../support/browser/pages'
import { expectSignedIn, expectSignedOut } from '../../support/expectations'

const currentField = (page: Page) => page.getByLabel('Current password', { exact: true })
const newField = (page: Page) => page.getByLabel('New password', { exact: true })
const another = 'a different horse entirely'

test('a changed username and a display name appear on the page and in the password manager, and an empty name removes it', async ({
  page,
  passkeys,
}) => {
  const before = await signUpWithPasskeyOnPage(page)
  const username = randomName()
  await ready(page)
  await button(page, 'Change username').click()
  const field = page.getByLabel('New username')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue(before)
  await field.fill(` ${username} `)
  await button(page, 'Save').click()
  await expectProfile(page, username)
  await expect(statusMessage(section(page, 'Username'), 'Username changed.')).toBeVisible()
  await expect(button(page, 'Change username')).toBeFocused()
  const updatedTo = (userDisplayName: string) =>
    expect
      .poll(() => passkeys.events.seen.at(-1))
      .toMatchObject({ type: 'updated', credential: { userName: username, userDisplayName } })
  await updatedTo(username)

  // Nobody can have an address here, since there are no letters.
  await expect(section(page, 'About you')).toContainText('Your name, or delete the account')
  await open(page, '/profile/about-you')
  const named = async (text: string) => {
    await button(page, 'Change name').click()
    await page.getByRole('textbox', { name: 'Name' }).fill(text)
    await button(page, 'Save').click()
  }
  await named('\u202eadA')
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription(
    'Use text without control characters.',
  )
  await button(page, 'Cancel').click()
  await named(' Ada Lovelace ')
  await expect(statusMessage(section(page, 'Name'), 'Name changed.')).toBeVisible()
  await expect(section(page, 'Name')).toContainText('Ada Lovelace')
  await expect(button(page, 'Change name')).toBeFocused()
  await updatedTo('Ada Lovelace')
  await named('')
  await expect(section(page, 'Name')).toContainText('None')
  expect((await account(page)).displayName).toBe(null)
})

test('changing a password takes the current and the new one, reports each fault at its field, and signs out other sessions', async ({
  page,
  another: other,
}) => {
  const username = await signedIn(page)
  const elsewhere = other()
  expect((await signInWithPassword(elsewhere, username)).status).toBe(200)
  await open(page, '/profile')
  await button(page, 'Change password').click()
  await expect(currentField(page)).toBeFocused()
  // Without a passkey it is the only way in.
  await expect(button(page, 'Remove password')).toHaveCount(0)
  await button(page, 'Save').click()
  await expect(currentField(page)).toHaveAccessibleDescription('Enter your current password.')
  await expect(newField(page)).toHaveAccessibleDescription('Enter a new password.')
  await currentField(page).fill('not the password')
  await newField(page).fill(another)
  await button(page, 'Save').click()
  await expect(currentField(page)).toHaveAccessibleDescription("That isn't your current password.")
  await expect(currentField(page)).toBeFocused()
  await currentField(page).fill(PASSWORD)
  await newField(page).fill('short')
  await button(page, 'Save').click()
  await expect(newField(page)).toHaveAccessibleDescription(/8/)
  await expect(newField(page)).toBeFocused()
  await newField(page).fill(another)
  await button(page, 'Save').click()
  await expect(statusMessage(section(page, 'Password'), 'Password changed.')).toBeVisible()
  await expect(button(page, 'Change password')).toBeFocused()
  await expectSignedOut(elsewhere)
  expect((await signInWithPassword(other(), username, another)).status).toBe(200)
  await page.reload()
  await expectProfile(page, username)
})

test('/.well-known/change-password opens the form after signing in, with the fields that password managers look for', async ({
  page,
}) => {
  const username = await signedOut(page)
  await open(page, '/.well-known/change-password')
  await submitSignIn(page, username)
  await page.waitForURL('/profile#password')
  await ready(page)
  await expect(currentField(page)).toHaveAttribute('autocomplete', 'current-password')
  await expect(newField(page)).toHaveAttribute('autocomplete', 'new-password')
  await expect(page.locator('form input[autocomplete="username"]')).toHaveCount(1)
  // Closing a setting that the address opened removes only the fragment.
  await open(page, '/profile?a=1#password')
  await expect(currentField(page)).toBeFocused()
  await button(page, 'Cancel').click()
  await expect(newField(page)).toHaveCount(0)
  expect(page.url()).toMatch(/\/profile\?a=1$/)
})

test('signing out everywhere ends every session, including the current one', async ({ page, another: other }) => {
  const username = await signedIn(page)
  const elsewhere = other()
  await signInWithPassword(elsewhere, username)
  await expectSignedIn(elsewhere)
  await open(page, '/profile/devices')
  await button(page, 'Sign out everywhere').click()
  await page.waitForURL('/signin')
  await expect(liveStatus(page)).toHaveText(["You're signed out on all devices.", ''])
  await expectSignedOut(elsewhere)
  await page.goto('/profile')
  expect(place(page)).toBe('/signin?next=%2Fprofile')
})

test('deleting an account takes typing its username, and removes its passkey', async ({ page, passkeys }) => {
  const username = await signUpWithPasskeyOnPage(page)
  await open(page, '/profile/about-you')
  await button(page, 'Delete this account').click()
  const asked = dialog(page, 'Delete this account?')
  const field = asked.getByLabel('Your username')
  await expect(field).toBeFocused()
  await field.fill('somebody else')
  await button(page, 'Delete account').click()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(asked).toHaveCount(0)
  await expect(button(page, 'Delete this account')).toBeFocused()
  await page.keyboard.press('Enter')
  await field.fill(username)
  await button(page, 'Delete account').click()
  await page.waitForURL('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your account has been deleted')
  await expect(page).toHaveTitle('Your account has been deleted · Latchkey')
  await expect(page.getByRole('link', { name: 'Create an account' })).not.toHaveClass(/button-primary/)
  await passkeys.events.waitFor('deleted')
  // The time zone is the browser's, not the account's.
  expect((await page.context().cookies()).filter(({ name }) => name !== 'latchkey-zone')).toEqual([])
})
