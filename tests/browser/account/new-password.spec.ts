import { createRecoveryCodes, PASSWORD, randomName, register, signInWithPassword } from '../../support/accounts'
import { account, signInTo, statusMessage } from '../../support/browser/account-pages'
import {
  button,
  expect,
  expectSignedUp,
  open,
  passwordField,
  signedIn,
  test,
  usernameField,
} from '../../support/browser/pages'
import { Authenticator } from '../../support/webauthn/authenticator'

test('advice follows a new password while it is typed, as the description of its field', async ({ page }) => {
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
})

test('advice keeps no password from being sent, and the server says which are too common', async ({ page }) => {
  const username = randomName()
  await open(page, '/signup')
  await button(page, 'Use a password instead').click()
  await usernameField(page).fill(username)
  await passwordField(page).fill('sunshine2026')
  await button(page, 'Create account').click()
  await expect(passwordField(page)).toHaveAccessibleDescription(/attackers try/)
  await expect(passwordField(page)).toBeFocused()
  await passwordField(page).fill('blue kettle')
  await button(page, 'Create account').click()
  await expectSignedUp(page, username)
})

test('a password manager can read how long a new password must be', async ({ page }) => {
  await signedIn(page)
  await open(page, '/profile#password')
  const field = page.getByLabel('New password', { exact: true })
  await expect(field).toHaveAttribute('autocomplete', 'new-password')
  await expect(field).toHaveAttribute('minlength', '8')
  await expect(field).toHaveAttribute('passwordrules', 'minlength: 8;')
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
