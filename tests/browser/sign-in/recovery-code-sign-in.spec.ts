import type { Page } from 'playwright/test'
import { wordsIn } from '@/lib/messages/catalogues'
import { randomName } from '../../support/accounts'
import { createRecoveryCodesOnPage } from '../../support/browser/account-pages'
import { continueToApp, requestTo, test } from '../../support/browser/app'
import {
  alert,
  button,
  expect,
  open,
  passwordField,
  place,
  ready,
  signedIn,
  usernameField,
} from '../../support/browser/pages'

const codeField = (page: Page) => page.getByLabel('Recovery code')

/** Creates an account with recovery codes and leaves the browser signed out. */
async function withCodes(page: Page) {
  const username = await signedIn(page)
  const codes = await createRecoveryCodesOnPage(page)
  await page.context().clearCookies()
  return { username, codes }
}

async function submitCode(page: Page, username: string, code: string) {
  await usernameField(page).fill(username)
  await codeField(page).fill(code)
  await button(page, 'Sign in').click()
}

test('a recovery code leads on to the app that asks for the sign-in', async ({ page, app, faults }) => {
  const { username, codes } = await withCodes(page)
  await page.goto(requestTo(app))
  await ready(page)
  await button(page, 'Use a recovery code').click()
  await submitCode(page, username, codes[0] ?? '')
  await continueToApp(page, app, faults)
})

test('an empty recovery form marks both fields, and an unknown username gets the same message as a wrong code', async ({
  page,
}) => {
  const { username } = await withCodes(page)
  await open(page, '/signin')
  await button(page, 'Use a recovery code').click()
  await expect(codeField(page)).toBeVisible()
  await button(page, 'Sign in').click()
  await expect(usernameField(page)).toHaveAccessibleDescription('Enter your username.')
  await expect(codeField(page)).toHaveAccessibleDescription('Enter a recovery code.')
  await expect(usernameField(page)).toBeFocused()
  const messages = []
  for (const name of [username, randomName()]) {
    await submitCode(page, name, 'AAAA-AAAA-AAAA-AAAA-AAAA-AAAA')
    await expect(button(page, 'Sign in')).toBeEnabled()
    await expect(alert(page)).not.toBeEmpty()
    await expect(codeField(page)).toBeFocused()
    messages.push(await alert(page).textContent())
  }
  expect(messages[0]).toBe(messages[1])
})

test('recovery is a view with an address, a title and a heading, which keeps the typed name', async ({ page }) => {
  // As in Safari 16.
  await page.addInitScript(() => void Reflect.deleteProperty(URLSearchParams.prototype, 'size'))
  await open(page, '/signin?next=/passkeys')
  const heading = page.getByRole('heading', { level: 1 })
  await usernameField(page).fill('ada')
  await button(page, 'Use a recovery code').click()
  await expect(heading).toHaveText('Sign in with a recovery code')
  await expect(page).toHaveTitle('Sign in with a recovery code · Latchkey')
  await expect(codeField(page)).toBeFocused()
  await expect(usernameField(page)).toHaveValue('ada')
  await expect(page.getByText('No codes? Contact the administrator.')).toBeVisible()
  await usernameField(page).fill('ada.lovelace')
  await page.goBack()
  await expect(heading).toHaveText('Sign in')
  await expect(page).toHaveTitle('Sign in · Latchkey')
  expect(place(page)).toBe('/signin?next=/passkeys')
  await expect(usernameField(page)).toHaveValue('ada.lovelace')
  await open(page, '/signin?recover')
  await expect(heading).toHaveText('Sign in with a recovery code')
  await expect(page).toHaveTitle('Sign in with a recovery code · Latchkey')
  await button(page, 'Sign in another way').click()
  await expect(heading).toHaveText('Sign in')
  await expect(page).toHaveTitle('Sign in · Latchkey')
  await page.goBack()
  await expect(page).toHaveTitle('Sign in with a recovery code · Latchkey')
  // Another language keeps the view, also one that the page was not loaded with.
  await open(page, '/signin?next=/passkeys')
  await button(page, 'Use a recovery code').click()
  await expect(heading).toHaveText('Sign in with a recovery code')
  await page.getByRole('button', { name: 'Language: English' }).click()
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await expect(heading).toHaveText(wordsIn('de').signIn.recoveryTitle)
  expect(new URL(page.url()).searchParams.get('next')).toBe('/passkeys')
})

test('the recovery form leads back to the other sign-in methods', async ({ page }) => {
  await open(page, '/signin')
  await button(page, 'Use a recovery code').click()
  await expect(passwordField(page)).toHaveCount(0)
  await expect(codeField(page)).toHaveAttribute('autocomplete', 'off')
  await expect(button(page, 'Sign in with a passkey')).toHaveCount(0)
  await button(page, 'Sign in another way').click()
  await expect(passwordField(page)).toBeVisible()
  await expect(usernameField(page)).toBeFocused()
  await expect(button(page, 'Sign in with a passkey')).toBeEnabled()
})
