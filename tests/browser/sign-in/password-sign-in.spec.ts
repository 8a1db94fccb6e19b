import type { Page } from 'playwright/test'
import { PASSWORD } from '../../support/accounts'
import { holdAnswers } from '../../support/browser/page-requests'
import {
  alert,
  button,
  expect,
  expectProfile,
  open,
  passwordField,
  signedOut,
  submitSignIn,
  test,
  usernameField,
  withoutAutofill,
} from '../../support/browser/pages'

test('spaces around a username are ignored, spaces in a password are not', async ({ page }) => {
  const username = await signedOut(page)
  await open(page, '/signin')
  await submitSignIn(page, username, ` ${PASSWORD}`)
  await expect(alert(page)).toContainText('Authentication Failed')
  await submitSignIn(page, `  ${username} `)
  await expectProfile(page, username)
})

test('a held Enter sends the form once', async ({ page }) => {
  const username = await signedOut(page)
  await withoutAutofill(page)
  await open(page, '/signin')
  const sent: string[] = []
  page.on('request', (request) => request.url().endsWith('/api/signin') && sent.push(request.url()))
  await usernameField(page).fill(username)
  await passwordField(page).fill('a wrong password')
  for (const attempts of [1, 2]) {
    const answered = page.waitForResponse('**/api/signin')
    await page.keyboard.down('Enter')
    await answered
    await expect(button(page, 'Sign in')).not.toHaveAttribute('aria-busy')
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    expect(sent).toHaveLength(attempts)
  }
})

test('a wrong password is no matter of the clock, and the right one on a device whose clock loses the session is', async ({
  page,
}) => {
  const username = await signedOut(page)
  await loseSessionCookie(page)
  await page.clock.setSystemTime(Date.now() + 3 * 3_600_000)
  await open(page, '/signin')
  await submitSignIn(page, username, 'not the password')
  await expect(alert(page)).toContainText(/^Authentication Failed\s*That username and password don't match\.$/)
  await submitSignIn(page, username)
  await expect(alert(page)).toContainText(/^This device's clock is wrong\s*It is 3 hours fast\./)
})

/** As a browser does that takes the cookie for expired, or keeps none. */
const loseSessionCookie = (page: Page) =>
  page.route('**/api/signin', async (route) => {
    const response = await route.fetch()
    const { 'set-cookie': _, ...headers } = response.headers()
    await page.context().clearCookies()
    await route.fulfill({ response, headers })
  })

test('a browser that drops the session cookie is asked to allow cookies', async ({ page }) => {
  const username = await signedOut(page)
  await loseSessionCookie(page)
  await open(page, '/signin')
  await submitSignIn(page, username)
  await expect(alert(page)).toContainText(/^The browser didn't keep you signed in\s*Allow cookies/)
})

test('the password is hidden until it is shown, and again while it is sent', async ({ page }) => {
  const username = await signedOut(page)
  await open(page, '/signin')
  await expect(passwordField(page)).toHaveAttribute('type', 'password')
  await passwordField(page).fill('plain to see')
  await button(page, 'Show password').click()
  await expect(passwordField(page)).toHaveAttribute('type', 'text')
  await expect(passwordField(page)).toHaveValue('plain to see')
  await button(page, 'Hide password').click()
  await expect(passwordField(page)).toHaveAttribute('type', 'password')

  await button(page, 'Show password').click()
  const answers = await holdAnswers(page, '/api/signin')
  await submitSignIn(page, username)
  await expect(button(page, 'Sign in')).toBeDisabled()
  await expect(passwordField(page)).toHaveAttribute('type', 'password')
  answers.release()
  await expectProfile(page, username)
})
