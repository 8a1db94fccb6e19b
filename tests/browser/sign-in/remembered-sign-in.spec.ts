import type { Page } from 'playwright/test'
import { VirtualAuthenticator } from '../../passkey-fixture/virtual-authenticator'
import { PASSWORD, randomName } from '../../support/accounts'
import {
  button,
  expect,
  expectProfile,
  open,
  passwordField,
  place,
  pressSignOut,
  ready,
  signedOut,
  signUpWithPasskeyOnPage,
  submitSignIn,
  test,
  usernameField,
  withoutAutofill,
} from '../../support/browser/pages'

const remember = (page: Page) => page.getByLabel('Remember my username in this browser')
const forget = (page: Page) => page.getByRole('link', { name: /^Not you\? Forget/ })

async function signOut(page: Page) {
  await ready(page)
  await pressSignOut(page)
  await page.waitForURL('/signin')
  await ready(page)
}

test('the sign-in page marks the way used last, in the markup of the server, and names nobody', async ({ page }) => {
  await withoutAutofill(page)
  await VirtualAuthenticator.attach(page)
  await open(page, '/signin')
  await expect(page.getByText('Last used')).toHaveCount(0)
  await expect(forget(page)).toHaveCount(0)
  const username = await signUpWithPasskeyOnPage(page)
  await signOut(page)
  await expect(button(page, 'Sign in with a passkey')).toHaveAccessibleDescription('Last used')
  await expect(page.getByText('Last used')).toHaveCount(1)
  for (const path of ['/', '/signin']) {
    const markup = await (await page.request.get(path)).text()
    expect(markup, path).not.toContain(username)
    expect(markup, path).toContain('>Last used<')
  }
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
})

test('a remembered username greets and is filled in until the person or another one takes it away', async ({
  page,
}) => {
  const username = await signedOut(page)
  const other = await signedOut(page)
  await open(page, '/signin')
  await expect(remember(page)).not.toBeChecked()
  await remember(page).check()
  await submitSignIn(page, username)
  await expectProfile(page, username)
  await signOut(page)
  await expect(page.getByText(`Welcome back, ${username}.`)).toBeVisible()
  await expect(usernameField(page)).toHaveValue(username)
  await expect(passwordField(page)).toBeFocused()
  await expect(button(page, 'Sign in')).toHaveAccessibleDescription('Last used')
  await expect(button(page, 'Sign in')).toHaveClass(/button-primary/)
  await open(page, '/')
  expect(place(page)).toBe('/signin')
  await expect(page.getByText(`Welcome back, ${username}.`)).toBeVisible()
  await passwordField(page).fill(PASSWORD)
  await button(page, 'Sign in').click()
  await expectProfile(page, username)
  await signOut(page)

  await open(page, '/signin?next=/passkeys')
  await forget(page).click()
  await expect(usernameField(page)).toHaveValue('')
  expect(place(page)).toBe('/signin?next=%2Fpasskeys')
  await expect(page.getByText('Last used')).toHaveCount(0)

  await ready(page)
  await remember(page).check()
  await submitSignIn(page, username)
  await page.waitForURL('/passkeys')
  await signOut(page)
  await expect(usernameField(page)).toHaveValue(username)
  // The other person leaves the box as it came.
  await submitSignIn(page, other)
  await expectProfile(page, other)
  await signOut(page)
  await expect(usernameField(page)).toHaveValue('')
  await expect(page.getByText(/Welcome back/)).toHaveCount(0)
})

test('signing in goes on where the server does not say that it remembers the username', async ({ page }) => {
  await page.clock.install()
  const username = await signedOut(page)
  await open(page, '/signin')
  await page.route('**/api/i/hint', () => undefined)
  await remember(page).check()
  await Promise.all([page.waitForRequest('**/api/i/hint'), submitSignIn(page, username)])
  await page.clock.fastForward(3_000)
  await expectProfile(page, username)
})

test('a hint cookie that the server did not write is ignored', async ({ page, server }) => {
  for (const value of ['pwd.ann', 'passkey', 'passkey.a', `passkey.${'a'.repeat(65)}`, 'passkey.<b>ann</b>']) {
    const headers = { Cookie: `latchkey-hint=${encodeURIComponent(value)}` }
    for (const path of ['/', '/signin']) {
      const markup = await (await page.request.get(server.origin + path, { headers })).text()
      expect(markup, value).not.toMatch(/Welcome back|Last used<|Not you\?/)
    }
  }
})

test('a failed attempt with another username remembers nothing', async ({ page }) => {
  await open(page, '/signin')
  await remember(page).check()
  await submitSignIn(page, randomName(), 'not the password')
  await expect(page.getByText('Authentication Failed')).toBeVisible()
  await page.reload()
  await expect(usernameField(page)).toHaveValue('')
})
