import { PASSWORD, randomName } from '../accounts'
import {
  button,
  expect,
  expectProfile,
  open,
  passwordField,
  signedOut,
  submitSignIn,
  test,
  usernameField,
  withCapabilities,
} from '../pages'
import { VirtualAuthenticator } from '../virtual-authenticator'

test('a browser without passkeys is told so, and signs in and up with passwords', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['PublicKeyCredential', 'AuthenticatorResponse']) Reflect.deleteProperty(window, name)
  })
  const username = await signedOut(page)
  await open(page, '/signin')
  await expect(page.getByText('This browser has no passkeys.')).toBeVisible()
  await expect(button(page, 'Sign in with a passkey')).toHaveCount(0)
  await submitSignIn(page, username)
  await expectProfile(page, username)

  await page.context().clearCookies()
  await open(page, '/signup')
  await expect(page.getByText('This browser has no passkeys.')).toBeVisible()
  await expect(button(page, 'Use a passkey instead')).toHaveCount(0)
  const another = randomName()
  await usernameField(page).fill(another)
  await passwordField(page).fill(PASSWORD)
  await button(page, 'Create account').click()
  await expectProfile(page, another)
})

test('where only a security key could keep one, sign-up begins with a password and a passkey can be chosen', async ({
  page,
}) => {
  await withCapabilities(page, { passkeyPlatformAuthenticator: false, hybridTransport: false })
  await VirtualAuthenticator.attach(page, { kind: 'security-key' })
  await open(page, '/signup')
  await expect(passwordField(page)).toBeVisible()
  await expect(usernameField(page)).toBeFocused()
  await button(page, 'Use a passkey instead').click()
  await expect(passwordField(page)).toHaveCount(0)
  const username = randomName()
  await usernameField(page).fill(username)
  await button(page, 'Create a passkey').click()
  await expectProfile(page, username)

  await page.context().clearCookies()
  await page.goto('/signin')
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
})

test('the sign-in page puts the password first where only a security key could sign in, else the passkey', async ({
  page,
}) => {
  const fill = (name: string) => button(page, name).evaluate((element) => getComputedStyle(element).backgroundColor)
  await open(page, '/signin')
  const [first, second] = [await fill('Sign in with a passkey'), await fill('Sign in')]
  expect(first).not.toBe(second)
  await withCapabilities(page, { passkeyPlatformAuthenticator: false, hybridTransport: false })
  await open(page, '/signin')
  await expect.poll(() => fill('Sign in')).toBe(first)
  await expect.poll(() => fill('Sign in with a passkey')).toBe(second)
})

test('the tab remembers a passkey of another device that signed in, until somebody signs in another way', async ({
  page,
}) => {
  const remembered = () => page.evaluate(() => Object.values(sessionStorage))
  await withCapabilities(page, { conditionalGet: false })
  const authenticator = await VirtualAuthenticator.attach(page, { kind: 'security-key' })
  await open(page, '/signup')
  const username = randomName()
  await usernameField(page).fill(username)
  await button(page, 'Create a passkey').click()
  await expectProfile(page, username)
  expect(await remembered()).toEqual([])
  await page.context().clearCookies()
  await open(page, '/signin')
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
  const [credential] = await authenticator.credentials()
  const id = Buffer.from(credential?.credentialId ?? '', 'base64').toString('base64url')
  expect(await remembered()).toEqual([id])

  await page.context().clearCookies()
  const withPassword = await signedOut(page)
  await open(page, '/signin')
  await submitSignIn(page, withPassword)
  await expectProfile(page, withPassword)
  expect(await remembered()).toEqual([])
})
