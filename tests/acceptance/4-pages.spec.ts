// What people do in a browser. Chromium plays the device: it has a virtual authenticator for passkeys.
import { randomName, signInWithPassword, signUp } from '../support/accounts'
import {
  createRecoveryCodesOnPage,
  reauthenticate,
  reauthenticationDialog,
  submitUsername,
} from '../support/browser/account-pages'
import {
  alert,
  button,
  expect,
  expectProfile,
  expectSignedUp,
  liveStatus,
  open,
  passwordField,
  place,
  pressSignOut,
  ready,
  signedIn,
  signedOut,
  signUpWithPasskeyOnPage,
  signUpWithPasswordOnPage,
  submitSignIn,
  test,
  usernameField,
  withoutAutofill,
} from '../support/browser/pages'
import { forgetStepUp } from '../support/browser/step-up'

test('a passkey signs up, and signs in by a button', async ({ page, passkeys }) => {
  await withoutAutofill(page)
  const username = await signUpWithPasskeyOnPage(page)
  expect(await passkeys.credentials()).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }])
  await ready(page)
  await pressSignOut(page)
  await page.waitForURL('/signin')
  await ready(page)
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
})

test('passkey autofill signs in without a username and continues to the requested page', async ({
  page,
  passkeys: _,
}) => {
  const username = await signUpWithPasskeyOnPage(page)
  await page.context().clearCookies()
  await page.goto('/passkeys')
  await expect(page.getByRole('heading', { name: 'Passkeys', exact: true })).toBeVisible()
  expect(place(page)).toBe('/passkeys')
  await open(page, '/profile')
  await expectProfile(page, username)
})

test('who cannot answer the passkey prompt is told that nothing happened, and tries again', async ({
  page,
  passkeys,
}) => {
  await withoutAutofill(page)
  const username = randomName()
  await open(page, '/signup')
  await usernameField(page).fill(username)
  await passkeys.setVerified(false)
  await button(page, 'Create account with a passkey').click()
  await expect(liveStatus(page)).toHaveText(/passkey/)
  await expect(alert(page)).toBeEmpty()
  expect(place(page)).toBe('/signup')
  await passkeys.setVerified(true)
  await button(page, 'Create account with a passkey').click()
  await expectSignedUp(page, username)
})

test('a password signs up, and signs in after signing out', async ({ page }) => {
  const username = await signUpWithPasswordOnPage(page)
  await ready(page)
  await pressSignOut(page)
  await page.waitForURL('/signin')
  await ready(page)
  await submitSignIn(page, username.toUpperCase())
  await expectProfile(page, username)
})

test('an account with a password gets a passkey, which signs in to it', async ({ page, passkeys: _ }) => {
  const username = await signedIn(page)
  await open(page, '/passkeys')
  await button(page, 'Add a passkey').click()
  await expect(page.getByRole('listitem')).toHaveCount(1)
  await page.context().clearCookies()
  await page.goto('/signin')
  await expectProfile(page, username)
})

test('a wrong password and an unknown username read "Authentication Failed", and the right one signs in then', async ({
  page,
}) => {
  const username = await signedOut(page)
  await open(page, '/signin')
  for (const [name, password] of [
    [username, 'not the password'],
    ['nobody-of-this-name', 'not the password'],
  ] as const) {
    await submitSignIn(page, name, password)
    await expect(alert(page)).toHaveText(/^Authentication Failed\s*That username and password don't match\.$/)
    await expect(passwordField(page)).toBeFocused()
  }
  await submitSignIn(page, username)
  await expectProfile(page, username)
})

test('after five failures the page says how long to wait', async ({ page, client, server }) => {
  const { username } = await signUp(client)
  for (let time = 0; time < 5; time += 1)
    await page.request.post(`${server.origin}/api/signin`, { data: { username, password: 'not the password' } })
  await open(page, '/signin')
  await submitSignIn(page, username)
  await expect(alert(page)).toContainText(/^Too many wrong passwords\s*Passwords work again in \d+ minutes/)
  expect(place(page)).toBe('/signin')
})

test('a page of the account asks a visitor to sign in, and then opens', async ({ page }) => {
  const username = await signedOut(page)
  await open(page, '/passkeys')
  expect(place(page)).toBe('/signin?next=%2Fpasskeys')
  await submitSignIn(page, username)
  await page.waitForURL('/passkeys')
  await expect(page.locator('body')).toContainText(username)
})

test('a recovery code signs in once', async ({ page }) => {
  const username = await signedIn(page)
  const [code = ''] = await createRecoveryCodesOnPage(page)
  for (const signsIn of [true, false]) {
    await page.context().clearCookies()
    await open(page, '/signin')
    await button(page, 'Use a recovery code').click()
    await usernameField(page).fill(username)
    await page.getByLabel('Recovery code').fill(code)
    await button(page, 'Sign in').click()
    if (signsIn) await expectProfile(page, username)
    else await expect(alert(page)).toContainText('Authentication Failed')
  }
})

test('signing out in one tab makes the others leave, and the back button shows nothing', async ({ page, context }) => {
  await signedIn(page)
  await open(page, '/profile')
  const other = await context.newPage()
  await open(other, '/passkeys')
  await pressSignOut(page)
  await page.waitForURL('/signin')
  await other.waitForURL((url) => url.pathname === '/signin')
  await page.goBack()
  await page.waitForURL((url) => url.pathname === '/signin')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('a session that was ended elsewhere leads to the sign-in page with the next press', async ({ page, another }) => {
  const username = await signedIn(page)
  await open(page, '/profile')
  const elsewhere = another()
  await signInWithPassword(elsewhere, username)
  expect((await elsewhere.post('/api/i/signout-everywhere')).status).toBe(204)
  await page.reload()
  await page.waitForURL((url) => url.pathname === '/signin')
})

test('a change that matters asks for the password first where it was shown over ten minutes ago', async ({ page }) => {
  await signedIn(page)
  await forgetStepUp(page)
  await open(page, '/profile')
  const username = await submitUsername(page)
  await expect(reauthenticationDialog(page)).toBeVisible()
  await reauthenticate(page)
  await expectProfile(page, username)
})

test('a person deletes the account by typing its username', async ({ page }) => {
  const username = await signedIn(page)
  await open(page, '/profile/about-you')
  await button(page, 'Delete this account').click()
  await page.getByLabel('Your username').fill(username)
  await button(page, 'Delete account').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your account has been deleted')
  await open(page, '/signin')
  await submitSignIn(page, username)
  await expect(alert(page)).toContainText('Authentication Failed')
})

test('a browser gets pages in the language that it prefers, and in its direction', async ({ browser, server }) => {
  for (const [locale, title] of [
    ['en', 'Sign in'],
    ['de', 'Anmelden'],
    ['fr', 'Se connecter'],
    ['es', 'Iniciar sesión'],
    ['ja', 'サインイン'],
    ['ar', 'تسجيل الدخول'],
  ] as const) {
    const page = await browser.newPage({ locale })
    await page.goto(`${server.origin}/signin`)
    await expect(page.locator('html')).toHaveAttribute('lang', locale)
    await expect(page.locator('html')).toHaveAttribute('dir', locale === 'ar' ? 'rtl' : 'ltr')
    await expect(page.getByRole('heading', { level: 1 })).toContainText(title)
    await page.close()
  }
})
