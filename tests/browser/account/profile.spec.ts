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
  signUpWithPasskeyOnPage,
  submitSignIn,
  test,
} from '../../support/browser/pages'
import { expectSignedIn, expectSignedOut } from '../../support/expectations'

const currentField = (page: Page) => page.getByLabel('Current password', { exact: true })
const newField = (page: Page) => page.getByLabel('New password', { exact: true })
const another = 'a different horse entirely'

test('a changed username appears on the page and in the password manager', async ({ page, passkeys }) => {
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
  const updated = { type: 'updated', credential: { userName: username, userDisplayName: username } }
  await expect.poll(() => passkeys.events.seen.at(-1)).toMatchObject(updated)
})

test('a display name appears on the page and in the password manager, and an empty one removes it', async ({
  page,
  passkeys,
}) => {
  const username = await signUpWithPasskeyOnPage(page)
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
  const updated = { type: 'updated', credential: { userName: username, userDisplayName: 'Ada Lovelace' } }
  await expect.poll(() => passkeys.events.seen.at(-1)).toMatchObject(updated)
  await named('')
  await expect(section(page, 'Name')).toContainText('None')
  expect((await account(page)).displayName).toBe(null)
})

test('a taken username is reported at its field, and nothing changes', async ({ page }) => {
  const taken = await signedIn(page)
  const username = await signedIn(page)
  await open(page, '/profile')
  await button(page, 'Change username').click()
  await page.getByLabel('New username').fill(taken.toUpperCase())
  await button(page, 'Save').click()
  await expect(page.getByLabel('New username')).toHaveAccessibleDescription('This username is taken.')
  await button(page, 'Cancel').click()
  await expectProfile(page, username)
  expect((await account(page)).username).toBe(username)
})

test('changing a password takes the current and the new one, and signs out other sessions', async ({
  page,
  another: other,
}) => {
  const username = await signedIn(page)
  const elsewhere = other()
  expect((await signInWithPassword(elsewhere, username)).status).toBe(200)
  await open(page, '/profile')
  await button(page, 'Change password').click()
  await expect(currentField(page)).toBeFocused()
  await currentField(page).fill(PASSWORD)
  await newField(page).fill(another)
  await button(page, 'Save').click()
  await expect(statusMessage(section(page, 'Password'), 'Password changed.')).toBeVisible()
  await expect(button(page, 'Change password')).toBeFocused()
  await expectSignedOut(elsewhere)
  expect((await signInWithPassword(other(), username, another)).status).toBe(200)
  await page.reload()
  await expectProfile(page, username)
})

test('a wrong current password, an empty field and a short password are each reported at the field', async ({
  page,
}) => {
  await signedIn(page)
  await open(page, '/profile')
  await button(page, 'Change password').click()
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
})

test('a passkey account sets a password without typing anything else, and can sign in with it', async ({
  page,
  client,
  passkeys: _,
}) => {
  const username = await signUpWithPasskeyOnPage(page)
  await ready(page)
  await expect(section(page, 'Password')).toContainText('Not set')
  await button(page, 'Set a password').click()
  await expect(currentField(page)).toHaveCount(0)
  await newField(page).fill(another)
  await page.keyboard.press('Enter')
  await expect(statusMessage(section(page, 'Password'), 'Password set.')).toBeVisible()
  await expect(section(page, 'Password')).toContainText('Set on ')
  await expect(button(page, 'Change password')).toBeFocused()
  expect((await signInWithPassword(client, username, another)).status).toBe(200)
})

test('the change password form has the fields that password managers look for', async ({ page }) => {
  await signedIn(page)
  await page.goto('/.well-known/change-password')
  expect(new URL(page.url()).hash).toBe('#password')
  await expect(currentField(page)).toBeFocused()
  await expect(currentField(page)).toHaveAttribute('autocomplete', 'current-password')
  await expect(newField(page)).toHaveAttribute('autocomplete', 'new-password')
  await expect(page.locator('form input[autocomplete="username"]')).toHaveCount(1)
})

test('closing a setting that the address opened removes only the fragment', async ({ page }) => {
  await signedIn(page)
  await open(page, '/profile?a=1#password')
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
  await ready(page)
  await submitSignIn(page, username)
  await expectProfile(page, username)
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
