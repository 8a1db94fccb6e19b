import type { Locator } from 'playwright/test'
import { PASSWORD, randomName } from '../support/accounts'
import {
  alert,
  button,
  expect,
  expectProfile,
  holdAnswers,
  open,
  passwordField,
  signedOut,
  test,
  usernameField,
} from '../support/pages'

/** A wrong field says so to eyes and to screen readers. */
async function expectWrong(field: Locator, sentence: string | RegExp) {
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(sentence)
  const id = `${await field.getAttribute('id')}-sentence`
  await expect(field).toHaveAttribute('aria-describedby', id)
  await expect(field.page().locator(`#${id}`)).toBeVisible()
}

test('an empty sign-in names both fields and puts the focus on the first', async ({ page }) => {
  await open(page, '/signin')
  await button(page, 'Sign in').click()
  await expectWrong(usernameField(page), 'Enter your username.')
  await expectWrong(passwordField(page), 'Enter your password.')
  await expect(usernameField(page)).toBeFocused()
  await expect(alert(page)).toBeEmpty()
})

test('a missing password alone gets the focus, and the username is left in peace', async ({ page }) => {
  await open(page, '/signin')
  await usernameField(page).fill(randomName())
  await button(page, 'Sign in').click()
  await expectWrong(passwordField(page), 'Enter your password.')
  await expect(passwordField(page)).toBeFocused()
  await expect(usernameField(page)).not.toHaveAttribute('aria-invalid')
})

test('sign-up shows what the server says of each field, until it is right', async ({ page }) => {
  const username = randomName()
  await open(page, '/signup')
  await button(page, 'Use a password instead').click()
  await usernameField(page).fill('a b')
  await passwordField(page).fill('short')
  await button(page, 'Create account').click()
  await expectWrong(usernameField(page), /./)
  await expectWrong(passwordField(page), /8/)
  await expect(usernameField(page)).toBeFocused()
  await usernameField(page).fill(username)
  await button(page, 'Create account').click()
  await expectWrong(passwordField(page), /8/)
  await expect(passwordField(page)).toBeFocused()
  await expect(usernameField(page)).not.toHaveAttribute('aria-invalid')
  await passwordField(page).fill(PASSWORD)
  await button(page, 'Create account').click()
  await expectProfile(page, username)
})

for (const [way, name] of [
  ['a password', 'Create account'],
  ['a passkey', 'Create a passkey'],
] as const) {
  test(`a taken username is told at its field when signing up with ${way}`, async ({ page }) => {
    const username = await signedOut(page)
    await open(page, '/signup')
    if (way === 'a password') {
      await button(page, 'Use a password instead').click()
      await passwordField(page).fill(PASSWORD)
    }
    await usernameField(page).fill(username.toUpperCase())
    await button(page, name).click()
    await expectWrong(usernameField(page), 'This username is taken.')
    await expect(usernameField(page)).toBeFocused()
    await expect(alert(page)).toBeEmpty()
  })
}

test('a username is needed before a passkey is made', async ({ page }) => {
  await open(page, '/signup')
  await button(page, 'Create a passkey').click()
  await expectWrong(usernameField(page), 'Enter a username.')
  await expect(usernameField(page)).toBeFocused()
})

test('the username has the focus when a form opens, and keeps its hint', async ({ page }) => {
  await open(page, '/signup')
  await expect(usernameField(page)).toBeFocused()
  await expect(usernameField(page)).toHaveAccessibleDescription(/at least 3 characters/)
  await open(page, '/signin')
  await expect(usernameField(page)).toBeFocused()
  await expect(usernameField(page)).toHaveAttribute('autofocus')
})

test('a form that is being sent takes no second click', async ({ page }) => {
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
  await expectProfile(page, username)
  expect(answers.asked).toBe(1)
})

test('password managers find the fields by their autocomplete values', async ({ page }) => {
  await open(page, '/signin')
  await expect(usernameField(page)).toHaveAttribute('autocomplete', 'username webauthn')
  await expect(passwordField(page)).toHaveAttribute('autocomplete', 'current-password')
  await open(page, '/signup')
  await button(page, 'Use a password instead').click()
  await expect(usernameField(page)).toHaveAttribute('autocomplete', 'username')
  await expect(passwordField(page)).toHaveAttribute('autocomplete', 'new-password')
})
