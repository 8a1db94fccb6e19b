import type { Page } from 'playwright/test'
import { protectedPages } from '@/lib/http/pages/prepare'
import { wordsIn } from '@/lib/messages/catalogues'
import { VirtualAuthenticator } from '../../passkey-fixture/virtual-authenticator'
import { PASSWORD, randomName } from '../../support/accounts'
import { createRecoveryCodesOnPage } from '../../support/browser/account-pages'
import { holdAnswers } from '../../support/browser/page-requests'
import {
  alert,
  button,
  expect,
  expectProfile,
  open,
  passwordField,
  place,
  signedIn,
  signedOut,
  signUpWithPasskeyOnPage,
  submitSignIn,
  test,
  usernameField,
  withoutAutofill,
} from '../../support/browser/pages'

test('every page of the account leads a visitor to sign in', async ({ page }) => {
  for (const path of [...protectedPages, '/passkeys?from=mail&n=1']) {
    const answer = await page.request.get(path, { maxRedirects: 0 })
    expect([answer.status(), answer.headers().location], path).toEqual([
      307,
      `/signin?next=${encodeURIComponent(path)}`,
    ])
  }
})

/** Addresses that a browser, or a careless parser, resolves to another site. */
const foreign = [
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  '///evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '\\\\evil.example',
  ' //evil.example',
  'javascript:alert(1)',
  'https:evil.example',
  'evil.example',
  '//user@evil.example/profile',
]

test('a next parameter cannot lead to another site, neither who is signed in nor who signs in @promise', async ({
  page,
  server,
}) => {
  const username = await signedOut(page)
  for (const next of foreign) {
    const answer = await page.request.get(`/signin?${new URLSearchParams({ next })}`)
    expect(await answer.text(), next).toContain('href="/signup"')
  }
  await open(page, `/signin?${new URLSearchParams({ next: '/\\evil.example' })}`)
  await submitSignIn(page, username)
  await expectProfile(page, username)

  const targetOf = async (address: string) => {
    const answer = await page.request.get(address, { maxRedirects: 0 })
    expect(answer.status(), address).toBe(307)
    return new URL(answer.headers().location ?? '', server.origin).href.replace(/#$/, '')
  }
  const queries = foreign.map((next) => `${new URLSearchParams({ next })}`)
  for (const form of ['/signin', '/signup'])
    for (const query of [...queries, 'next=//evil.example&next=/passkeys', 'next=', 'next', ''])
      expect(await targetOf(`${form}?${query}`), query).toBe(`${server.origin}/profile`)
  for (const form of ['/signin', '/signup'])
    expect(await targetOf(`${form}?next=/passkeys`)).toBe(`${server.origin}/passkeys`)
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

test('a browser that drops the session cookie is asked to allow cookies, and one whose clock loses the session to set it', async ({
  page,
}) => {
  const username = await signedOut(page)
  await loseSessionCookie(page)
  await open(page, '/signin')
  await submitSignIn(page, username)
  await expect(alert(page)).toContainText(/^The browser didn't keep you signed in\s*Allow cookies/)
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

  // Spaces around a username are ignored, spaces in a password are not.
  await submitSignIn(page, username, ` ${PASSWORD}`)
  await expect(alert(page)).toContainText('Authentication Failed')
  await button(page, 'Show password').click()
  const answers = await holdAnswers(page, '/api/signin')
  await submitSignIn(page, `  ${username} `)
  await expect(button(page, 'Sign in')).toBeDisabled()
  await expect(passwordField(page)).toHaveAttribute('type', 'password')
  answers.release()
  await expectProfile(page, username)
})

const codeField = (page: Page) => page.getByLabel('Recovery code')

async function submitCode(page: Page, username: string, code: string) {
  await usernameField(page).fill(username)
  await codeField(page).fill(code)
  await button(page, 'Sign in').click()
}

test('an empty recovery form marks both fields, an unknown username gets the same message as a wrong code, and other ways are one press away', async ({
  page,
}) => {
  const username = await signedIn(page)
  await createRecoveryCodesOnPage(page)
  await page.context().clearCookies()
  await open(page, '/signin')
  await button(page, 'Use a recovery code').click()
  await expect(codeField(page)).toHaveAttribute('autocomplete', 'off')
  await expect(passwordField(page)).toHaveCount(0)
  await expect(button(page, 'Sign in with a passkey')).toHaveCount(0)
  await button(page, 'Sign in').click()
  await expect(usernameField(page)).toHaveAccessibleDescription('Enter your username.')
  await expect(codeField(page)).toHaveAccessibleDescription('Enter a recovery code.')
  await expect(usernameField(page)).toBeFocused()
  const messages = []
  for (const name of [username, randomName()]) {
    await submitCode(page, name, 'AAAA-AAAA-AAAA-AAAA')
    await expect(button(page, 'Sign in')).toBeEnabled()
    await expect(alert(page)).not.toBeEmpty()
    await expect(codeField(page)).toBeFocused()
    messages.push(await alert(page).textContent())
  }
  expect(messages[0]).toBe(messages[1])
  await button(page, 'Sign in another way').click()
  await expect(passwordField(page)).toBeVisible()
  await expect(usernameField(page)).toBeFocused()
  await expect(button(page, 'Sign in with a passkey')).toBeEnabled()
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
  await expect(page.getByText('No codes? An administrator can make one for you.')).toBeVisible()
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

test('two tabs with a challenge each can both sign in', async ({ page, context }) => {
  await withoutAutofill(context)
  const authenticator = await VirtualAuthenticator.attach(page)
  const username = await signUpWithPasskeyOnPage(page)
  await context.clearCookies()
  await open(page, '/signin')
  const other = await context.newPage()
  await open(other, '/signin')

  await page.bringToFront()
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
  // Copied only now, with the signature counter as it is after the first sign-in.
  await VirtualAuthenticator.attach(other, { credentials: await authenticator.credentials() })
  await other.bringToFront()
  await button(other, 'Sign in with a passkey').click()
  await expectProfile(other, username)
})
