import type { Page } from 'playwright/test'
import { VirtualAuthenticator } from '../../passkey-fixture/virtual-authenticator'
import { PASSWORD, randomName } from '../../support/accounts'
import {
  alert,
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
const forget = (page: Page) => page.getByRole('link', { name: /^Clear / })
const link = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true })

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
  // Enter presses what is filled.
  await expect(button(page, 'Sign in with a passkey')).toBeFocused()
  await expect(page.getByText('Last used')).toHaveCount(1)
  for (const path of ['/', '/signin']) {
    const markup = await (await page.request.get(path)).text()
    expect(markup, path).not.toContain(username)
    expect(markup, path).toContain('>Last used<')
  }
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
})

test('a known person has one filled button, people at one browser choose, and one press makes it forget them', async ({
  page,
}) => {
  const username = await signedOut(page)
  const other = await signedOut(page)
  await open(page, '/signin')
  await remember(page).check()
  await submitSignIn(page, username)
  await expectProfile(page, username)
  await signOut(page)
  await expect(page.getByRole('main')).toContainText(username)
  await expect(usernameField(page)).toHaveCount(0)
  await expect(passwordField(page)).toBeFocused()
  await expect(page.locator('.button-primary')).toHaveText([`Continue as ${username}`])
  await expect(forget(page)).toHaveText('Clear the name from this browser')
  await open(page, '/')
  expect(place(page)).toBe('/signin')
  await passwordField(page).fill('not the password')
  await button(page, `Continue as ${username}`).click()
  await expect(alert(page)).toHaveText(
    /^Authentication Failed\s*Check the password and try again, or use another way\.$/,
  )
  await passwordField(page).fill(PASSWORD)
  await button(page, `Continue as ${username}`).click()
  await expectProfile(page, username)
  await signOut(page)
  await link(page, 'Use a passkey instead').click()
  await expect(button(page, `Continue as ${username}`)).toBeFocused()
  await expect(passwordField(page)).toHaveCount(0)

  // The other person asks for it, too.
  await open(page, '/signin?next=/passkeys')
  await link(page, 'Change').click()
  await ready(page)
  await expect(usernameField(page)).toHaveValue('')
  await remember(page).check()
  await submitSignIn(page, other)
  await page.waitForURL('/passkeys')
  await pressSignOut(page)
  await page.waitForURL('/signin')
  await expect(page.getByRole('main')).toContainText('Who is signing in?')
  await expect(page.getByRole('listitem')).toContainText([other, username, 'Use another account'])
  await page.getByRole('link', { name: username }).click()
  await ready(page)
  await passwordField(page).fill(PASSWORD)
  await button(page, `Continue as ${username}`).click()
  await expectProfile(page, username)
  await pressSignOut(page)
  // The last comes first.
  await expect(page.getByRole('listitem')).toContainText([username, other, 'Use another account'])

  await page.goto('/signin?next=/passkeys')
  await expect(forget(page)).toHaveText('Clear the names from this browser')
  await forget(page).click()
  await expect(usernameField(page)).toHaveValue('')
  expect(place(page)).toBe('/signin?next=%2Fpasskeys')
  await expect(page.getByText('Last used')).toHaveCount(0)
})

test('whoever is locked out of passwords gets a button for each way that is open, and the password back once its time has come', async ({
  page,
}) => {
  await page.clock.install()
  const username = await signedOut(page)
  await open(page, '/signin')
  await remember(page).check()
  await submitSignIn(page, username)
  await page.waitForURL('/profile')
  await pressSignOut(page)
  await page.waitForURL('/signin')
  for (let time = 0; time < 5; time += 1)
    await page.request.post('/api/signin', { data: { username, password: 'not the password' } })
  const openWays = page.locator('main').locator('button:visible, .button:visible')
  const expectOpenWays = async (...ways: string[]) => {
    await expect(alert(page)).toContainText(
      /^Too many wrong passwords\s*Passwords work again in \d+ minutes. A passkey or a recovery code works now./,
    )
    await expect(openWays).toHaveText(ways)
    await expect(page.locator('.button-primary')).toHaveText('Sign in with a passkey')
    await expect(button(page, 'Sign in with a passkey')).toBeFocused()
    await expect(passwordField(page)).toHaveCount(0)
  }
  await ready(page)
  await passwordField(page).fill(PASSWORD)
  await button(page, `Continue as ${username}`).click()
  await expectOpenWays('Sign in with a passkey', 'Use a recovery code')
  await page.clock.fastForward('16:00')
  await expect(passwordField(page)).toBeVisible()
  await expect(alert(page)).toBeEmpty()

  await open(page, '/signin?as=other')
  await submitSignIn(page, username)
  await expectOpenWays('Sign in with a passkey', 'Use a recovery code', 'Use another account')
  await expect(page.getByRole('main')).toContainText(username)
})

test('a failed attempt remembers nothing, and signing in goes on where the server does not say that it remembers', async ({
  page,
}) => {
  await page.clock.install()
  const username = await signedOut(page)
  await open(page, '/signin')
  await remember(page).check()
  await submitSignIn(page, randomName(), 'not the password')
  await expect(page.getByText('Authentication Failed')).toBeVisible()
  await open(page, '/signin')
  await expect(usernameField(page)).toHaveValue('')
  await page.route('**/api/i/hint', () => undefined)
  await remember(page).check()
  await Promise.all([page.waitForRequest('**/api/i/hint'), submitSignIn(page, username)])
  await page.clock.fastForward(3_000)
  await expectProfile(page, username)
})

test('a hint cookie that the server did not write is ignored', async ({ page, server }) => {
  const people = [
    'ann',
    '.ann',
    '01230123.a',
    `01230123.${'a'.repeat(65)}`,
    '01230123.<b>ann</b>',
    '0123.ann',
    '01230124.ann',
  ]
  for (const value of ['pwd', ...people.map((person) => `~passkey.${person}`)]) {
    const headers = { Cookie: `latchkey-hint=${encodeURIComponent(value)}` }
    for (const path of ['/', '/signin']) {
      const markup = await (await page.request.get(server.origin + path, { headers })).text()
      expect(markup, value).not.toMatch(/>Continue as|Last used<|>Clear /)
    }
  }
})
