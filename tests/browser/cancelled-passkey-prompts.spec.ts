import { strangeCredential, VirtualAuthenticator } from '../passkey-fixture/virtual-authenticator'
import { randomName } from '../support/accounts'
import {
  alert,
  button,
  expect,
  expectProfile,
  expectSignedUp,
  open,
  remark,
  signUpWithPasskey,
  test,
  usernameField,
  withoutAutofill,
} from '../support/pages'

test('cancelling the passkey prompt during sign-up is not an error, and trying again works', async ({ page }) => {
  const authenticator = await VirtualAuthenticator.attach(page, { verified: false })
  const username = randomName()
  await open(page, '/signup')
  await usernameField(page).fill(username)
  await button(page, 'Create a passkey').click()
  await expect(remark(page)).toHaveText('The passkey prompt was closed. Nothing has changed.')
  await expect(alert(page)).toBeEmpty()
  await expect(usernameField(page)).toHaveValue(username)
  await authenticator.setVerified(true)
  await button(page, 'Create a passkey').click()
  await expectSignedUp(page, username)
})

test('cancelling the passkey prompt during sign-in is not an error, and trying again works', async ({ page }) => {
  await withoutAutofill(page)
  const authenticator = await VirtualAuthenticator.attach(page)
  const username = await signUpWithPasskey(page)
  await page.context().clearCookies()
  await authenticator.setVerified(false)
  await open(page, '/signin')
  await button(page, 'Sign in with a passkey').click()
  await expect(remark(page)).toHaveText('The passkey prompt was closed. Nothing has changed.')
  await expect(alert(page)).toBeEmpty()
  await authenticator.setVerified(true)
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
})

test('passkey autofill resumes after a cancelled prompt', async ({ page }) => {
  const authenticator = await VirtualAuthenticator.attach(page)
  const username = await signUpWithPasskey(page)
  const credentials = await authenticator.credentials()
  await page.context().clearCookies()
  await authenticator.deleteOnDevice()
  let asked = 0
  await page.route('**/api/auth/login/options', async (route) => {
    asked += 1
    // The first is for autofill on load, the second for the button, the third for autofill again.
    if (asked === 3) for (const credential of credentials) await authenticator.add(credential)
    await route.continue()
  })
  await open(page, '/signin')
  await expect.poll(() => asked).toBe(1)
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
  expect(asked).toBe(3)
})

test('an unregistered passkey is reported as unknown and signalled to the password manager', async ({ page }) => {
  await withoutAutofill(page)
  const authenticator = await VirtualAuthenticator.attach(page, { credentials: [strangeCredential()] })
  await open(page, '/signin')
  await button(page, 'Sign in with a passkey').click()
  await expect(alert(page)).toContainText('Authentication Failed')
  await expect(alert(page)).toContainText('This passkey is no longer registered here.')
  await expect(button(page, 'Sign in with a passkey')).toBeEnabled()
  await expect.poll(() => authenticator.credentials()).toEqual([])
})
