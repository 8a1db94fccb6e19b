import { PASSWORD, signInWithPassword } from '../../support/accounts'
import { account, dialog, section, statusMessage } from '../../support/browser/account-pages'
import {
  button,
  expect,
  open,
  passwordField,
  ready,
  signUpWithPasskeyOnPage,
  signUpWithPasswordOnPage,
  test,
} from '../../support/browser/pages'
import { expectSignedOut } from '../../support/expectations'

test('a person with a passkey removes the password, which signs out the sessions that it opened', async ({
  page,
  another,
  passkeys: _,
}) => {
  const username = await signUpWithPasskeyOnPage(page)
  await ready(page)
  await expect(page.getByRole('button', { name: 'Remove password' })).toHaveCount(0)
  await button(page, 'Set a password').click()
  await passwordField(page).fill(PASSWORD)
  await button(page, 'Save').click()
  await expect(statusMessage(page, /^Password set/)).toBeVisible()
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

test('a person without a passkey is not offered to remove the password', async ({ page }) => {
  await signUpWithPasswordOnPage(page)
  await ready(page)
  await button(page, 'Change password').click()
  await expect(page.getByRole('button', { name: 'Remove password' })).toHaveCount(0)
})
