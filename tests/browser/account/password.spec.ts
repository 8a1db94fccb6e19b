import { createRecoveryCodes, PASSWORD, randomName, register, signInWithPassword } from '../../support/accounts'
import { account, dialog, section, signInTo, statusMessage } from '../../support/browser/account-pages'
import {
  button,
  expect,
  expectSignedUp,
  open,
  passwordField,
  ready,
  signUpWithPasskeyOnPage,
  test,
  usernameField,
} from '../../support/browser/pages'
import { expectSignedOut } from '../../support/expectations'
import { Authenticator } from '../../support/webauthn/authenticator'

test('advice follows a new password while it is typed, keeps none from being sent, and the server says which are too common', async ({
  page,
}) => {
  const username = randomName()
  await open(page, '/signup')
  await button(page, 'Use a password instead').click()
  await usernameField(page).fill(username)
  const field = passwordField(page)
  await expect(field).toHaveAccessibleDescription(/^At least 8 characters\. /)
  for (const [typed, advice] of [
    ['blue', /^4 more characters to go/],
    ['12345678', /^Repeats and sequences/],
    [`${username} kettle`, /contains your username/],
    ['elephant26', /^A single word/],
    ['blue kettle', /Each extra word/],
    [PASSWORD, /only here/],
    ['', /^At least 8 characters\. /],
  ] as const) {
    await field.fill(typed)
    await expect(field, typed).toHaveAccessibleDescription(advice)
    await expect(field).not.toHaveAttribute('aria-invalid')
  }
  // A password manager can read how long it must be.
  await expect(field).toHaveAttribute('autocomplete', 'new-password')
  await expect(field).toHaveAttribute('minlength', '8')
  await expect(field).toHaveAttribute('passwordrules', 'minlength: 8;')
  await field.fill('sunshine2026')
  await button(page, 'Create account').click()
  await expect(field).toHaveAccessibleDescription(/attackers try/)
  await expect(field).toBeFocused()
  await field.fill('blue kettle')
  await button(page, 'Create account').click()
  await expectSignedUp(page, username)
})

test('a new password lists what other sessions have added since, and removes what the person does not keep', async ({
  page,
  client,
  another,
  server,
}) => {
  const { username } = await signInTo(client, page, server)
  const thief = another()
  expect((await signInWithPassword(thief, username)).status).toBe(200)
  const [kept, removed] = [new Authenticator(server.origin), new Authenticator(server.origin)]
  for (const authenticator of [kept, removed]) expect((await register(thief, authenticator)).status).toBe(201)
  await createRecoveryCodes(thief)
  await open(page, '/profile')
  await button(page, 'Change password').click()
  const added = page.getByRole('group', { name: 'Added since you last answered a notice' })
  await expect(added).toContainText(/The recovery codes created on .* will stop working/)
  await expect(added.getByRole('checkbox')).toHaveCount(2)
  await added.getByRole('checkbox').first().check()
  await page.locator('input[name="currentPassword"]').fill(PASSWORD)
  await page.getByLabel('New password', { exact: true }).fill('another sentence that nobody chooses')
  await button(page, 'Save').click()
  await expect(statusMessage(page, /^Password changed/)).toBeVisible()
  const { passkeys, recoveryCodesLeft } = await account(page)
  expect(passkeys.map(({ id }: { id: string }) => id)).toEqual([kept.passkeys[0]?.id])
  expect(recoveryCodesLeft).toBe(0)
})

test('a passkey account sets a password without typing anything else, and removes it, which signs out the sessions that it opened', async ({
  page,
  another,
  passkeys: _,
}) => {
  const username = await signUpWithPasskeyOnPage(page)
  await ready(page)
  await expect(page.getByRole('button', { name: 'Remove password' })).toHaveCount(0)
  await expect(section(page, 'Password')).toContainText('Not set')
  await button(page, 'Set a password').click()
  await expect(page.getByLabel('Current password', { exact: true })).toHaveCount(0)
  await passwordField(page).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(statusMessage(section(page, 'Password'), 'Password set.')).toBeVisible()
  await expect(section(page, 'Password')).toContainText('Set on ')
  await expect(button(page, 'Change password')).toBeFocused()
  const other = another()
  expect((await signInWithPassword(other, username)).status).toBe(200)

  await button(page, 'Change password').click()
  await page.getByRole('button', { name: 'Remove password' }).click()
  await dialog(page, 'Remove your password?').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Remove password' })).toBeFocused()
  await page.getByRole('button', { name: 'Remove password' }).click()
  await dialog(page, 'Remove your password?').getByRole('button', { name: 'Remove password' }).click()
  await expect(statusMessage(section(page, 'Password'), /^Password removed/)).toBeVisible()
  await expect(button(page, 'Set a password')).toBeFocused()
  expect((await account(page)).hasPassword).toBe(false)
  await expectSignedOut(other)
  await open(page, '/profile')
  await expect(section(page, 'Recent activity')).toContainText('Password removed')
})
