import type { Locator } from 'playwright/test'
import { PASSWORD, randomName } from '../../support/accounts'
import { holdAnswers } from '../../support/browser/page-requests'
import {
  alert,
  button,
  expect,
  expectSignedUp,
  open,
  passwordField,
  signedIn,
  signedOut,
  test,
  usernameField,
} from '../../support/browser/pages'

/** Expects a field to be marked as invalid, with a visible sentence that describes it. */
async function expectInvalid(field: Locator, sentence: string | RegExp) {
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(sentence)
  const id = `${await field.getAttribute('id')}-sentence`
  await expect(field).toHaveAttribute('aria-describedby', id)
  await expect(field.page().locator(`#${id}`)).toBeVisible()
}

test('what is wrong with a field is shown until its value changes, and the first such field has the focus', async ({
  page,
}) => {
  await open(page, '/signup')
  await expect(usernameField(page)).toBeFocused()
  await expect(usernameField(page)).toHaveAccessibleDescription('3 or more letters or numbers, no spaces')
  await button(page, 'Create account with a passkey').click()
  await expectInvalid(usernameField(page), 'Enter a username.')
  await expect(usernameField(page)).toBeFocused()
  await usernameField(page).fill('a')
  await expect(page.getByText('Enter a username.')).toHaveCount(0)
  await expect(usernameField(page)).not.toHaveAttribute('aria-invalid')
  await expect(page.getByText('3 or more letters')).toBeVisible()

  await open(page, '/signin')
  await expect(usernameField(page)).toBeFocused()
  await expect(usernameField(page)).toHaveAttribute('autofocus')
  await button(page, 'Sign in').click()
  await expectInvalid(usernameField(page), 'Enter your username.')
  await expectInvalid(passwordField(page), 'Enter your password.')
  await expect(usernameField(page)).toBeFocused()
  await expect(alert(page)).toBeEmpty()
  await usernameField(page).fill(randomName())
  await button(page, 'Sign in').click()
  await expectInvalid(passwordField(page), 'Enter your password.')
  await expect(passwordField(page)).toBeFocused()
  await expect(usernameField(page)).not.toHaveAttribute('aria-invalid')
})

test("sign-up shows the server's error at each field until it is corrected", async ({ page }) => {
  const username = randomName()
  await open(page, '/signup')
  await button(page, 'Use a password instead').click()
  await usernameField(page).fill('a b')
  await passwordField(page).fill('short')
  await button(page, 'Create account').click()
  await expectInvalid(usernameField(page), /./)
  await expectInvalid(passwordField(page), /8/)
  await expect(usernameField(page)).toBeFocused()
  await usernameField(page).fill(username)
  await button(page, 'Create account').click()
  await expectInvalid(passwordField(page), /8/)
  await expect(passwordField(page)).toBeFocused()
  await expect(usernameField(page)).not.toHaveAttribute('aria-invalid')
  await passwordField(page).fill(PASSWORD)
  await button(page, 'Create account').click()
  await expectSignedUp(page, username)
})

test('a taken username is reported at its field when signing up with a passkey or a password', async ({ page }) => {
  const username = await signedOut(page)
  await open(page, '/signup')
  await usernameField(page).fill(username.toUpperCase())
  for (const name of ['Create account with a passkey', 'Create account']) {
    if (name === 'Create account') {
      await open(page, '/signup')
      await usernameField(page).fill(username)
      await button(page, 'Use a password instead').click()
      await passwordField(page).fill(PASSWORD)
    }
    await button(page, name).click()
    await expectInvalid(usernameField(page), 'This username is taken.')
    const signIn = page.getByText('Is it yours?').getByRole('link', { name: 'Sign in' })
    await expect(signIn).toHaveAttribute('href', '/signin')
    await expect(page.getByRole('link', { name: 'Sign in' })).toHaveCount(1)
    await expect(usernameField(page)).toBeFocused()
    await expect(alert(page)).toBeEmpty()
  }
})

test('a form is sent once, however often its button is pressed', async ({ page }) => {
  const username = randomName()
  const answers = await holdAnswers(page, '/api/signup')
  await open(page, '/signup')
  await button(page, 'Use a password instead').click()
  await usernameField(page).fill(username)
  await passwordField(page).fill(PASSWORD)
  await button(page, 'Create account').dblclick()
  await expect(button(page, 'Create account')).toBeDisabled()
  await expect(button(page, 'Create account')).toHaveAttribute('aria-busy', 'true')
  await passwordField(page).press('Enter')
  answers.release()
  await expectSignedUp(page, username)
  expect(answers.asked).toBe(1)
})

test('sign-in and sign-up fields have the autocomplete values that password managers look for, and choosing a password moves to the first empty one', async ({
  page,
}) => {
  await open(page, '/signin')
  await expect(usernameField(page)).toHaveAttribute('autocomplete', 'username webauthn')
  await expect(passwordField(page)).toHaveAttribute('autocomplete', 'current-password')
  await open(page, '/signup')
  await button(page, 'Use a password instead').click()
  await expect(usernameField(page)).toBeFocused()
  await expect(usernameField(page)).toHaveAttribute('autocomplete', 'username')
  await expect(passwordField(page)).toHaveAttribute('autocomplete', 'new-password')
  await button(page, 'Use a passkey instead').click()
  await usernameField(page).fill('somebody')
  await button(page, 'Use a password instead').click()
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
})

test('while an action runs, its button keeps the focus, and neither it nor Enter in a field does anything more', async ({
  page,
}) => {
  await signedIn(page)
  await open(page, '/profile')
  await button(page, 'Change username').click()
  const held = await holdAnswers(page, '/api/i/username')
  const field = page.getByLabel('New username')
  await field.fill('')
  await field.pressSequentially(randomName())
  await page.keyboard.press('Enter')
  await expect(button(page, 'Save')).toHaveAttribute('aria-busy', 'true')
  await page.keyboard.press('Enter')
  await expect(field).toBeFocused()
  held.release()
  await expect(field).toHaveCount(0)
  expect(held.asked).toBe(1)

  const codes = await holdAnswers(page, '/api/i/recovery-codes')
  await button(page, 'Create codes').focus()
  await page.keyboard.press('Enter')
  const create = button(page, 'Create ten codes')
  await expect(create).toHaveAttribute('aria-busy', 'true')
  await expect(create).toHaveAttribute('aria-disabled', 'true')
  await expect(create).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Space')
  codes.release()
  await expect(button(page, 'Done')).toBeVisible()
  expect(codes.asked).toBe(1)
})
