import type { Page } from 'playwright/test'
import { PASSWORD, randomName, register, signInWithPassword } from '../../support/accounts'
import {
  account,
  createRecoveryCodesOnPage,
  dialog,
  reauthenticate,
  reauthenticationButton,
  reauthenticationDialog,
  section,
  signInTo,
  statusMessage,
  submitUsername,
} from '../../support/browser/account-pages'
import { holdAnswers, watchRequests } from '../../support/browser/page-requests'
import {
  button,
  expect,
  expectProfile,
  liveStatus,
  open,
  signedIn,
  signUpWithPasskeyOnPage,
  test,
} from '../../support/browser/pages'
import { forgetStepUp, postAs, requestSession } from '../../support/browser/step-up'
import { Authenticator } from '../../support/webauthn/authenticator'
import { withResolvers } from '../../support/with-resolvers'

const another = 'a different horse entirely'

async function askForUsername(page: Page, username: string) {
  await open(page, '/profile')
  await submitUsername(page, username)
  await expect(reauthenticationDialog(page)).toBeVisible()
}

test('reauthenticating with a password completes the action that asked for it', async ({ page }) => {
  const registrations = watchRequests(page, '/api/auth/register/options')
  await signedIn(page)
  await forgetStepUp(page)
  const username = randomName()
  await askForUsername(page, username)
  const field = reauthenticationDialog(page).getByLabel('Password', { exact: true })
  await expect(field).toBeFocused()
  await expect(reauthenticationButton(page, 'Use a passkey')).toHaveCount(0)
  await expect(reauthenticationButton(page, 'Use a recovery code')).toHaveCount(0)
  await reauthenticationButton(page, 'Continue').click()
  await expect(field).toHaveAccessibleDescription('Enter your password.')
  await field.fill('not the password')
  await reauthenticationButton(page, 'Continue').click()
  await expect(reauthenticationDialog(page).getByRole('alert')).toContainText(
    /That isn't your password\s*Check the password/,
  )
  await field.fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expectProfile(page, username)
  await expect(reauthenticationDialog(page)).toHaveCount(0)
  await expect(button(page, 'Change username')).toBeFocused()
  expect((await account(page)).username).toBe(username)
  // Reauthentication does not trigger conditional create.
  expect(registrations).toEqual([])

  // On a page that still has the username of before.
  expect((await postAs(page, '/api/i/username', { username: randomName() })).status()).toBe(200)
  await forgetStepUp(page)
  const next = await submitUsername(page)
  await reauthenticate(page)
  await expectProfile(page, next)
})

test("who signed in with the password is asked for it first, although the account has a passkey, which may be a stranger's", async ({
  page,
  client,
  server,
}) => {
  await signInTo(client, page, server)
  expect((await register(client, new Authenticator(server.origin))).status).toBe(201)
  await forgetStepUp(page)
  await askForUsername(page, randomName())
  await expect(reauthenticationDialog(page).getByLabel('Password', { exact: true })).toBeFocused()
  await expect(reauthenticationDialog(page).getByRole('button')).toHaveText([
    'Show',
    'Continue',
    'Use a passkey',
    'Cancel',
  ])
})

test('reauthenticating with a passkey completes the action that asked for it, also after a prompt that was cancelled', async ({
  page,
  passkeys,
}) => {
  await signUpWithPasskeyOnPage(page)
  await forgetStepUp(page)
  const username = randomName()
  await askForUsername(page, username)
  await expect(reauthenticationDialog(page).getByLabel('Password', { exact: true })).toHaveCount(0)
  await expect(reauthenticationButton(page, 'Use a passkey')).toBeFocused()
  await passkeys.setVerified(false)
  await page.keyboard.press('Enter')
  await expect(reauthenticationDialog(page).getByRole('status')).toContainText('passkey prompt')
  await passkeys.setVerified(true)
  await reauthenticationButton(page, 'Use a passkey').click()
  await expectProfile(page, username)
})

test('a session that ends while one dialog has opened another closes both, and the page leads to the sign-in', async ({
  page,
}) => {
  const username = await signedIn(page)
  await forgetStepUp(page)
  await open(page, '/profile/about-you')
  await button(page, 'Delete this account').click()
  await dialog(page, 'Delete this account?').getByLabel('Your username').fill(username)
  await button(page, 'Delete account').click()
  await expect(reauthenticationDialog(page)).toBeVisible()
  await page.request.post('/api/signout')
  await reauthenticate(page)
  await expect(page.locator('dialog[open]')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name: "You're signed out" })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
  await expect(page.locator('main [role=alert]')).toContainText("You're signed out")
  await expect(page.getByText('nothing has changed')).toHaveCount(0)
})

test('reauthenticating with a recovery code completes the action, and cannot be cancelled while the server may be using up the code', async ({
  page,
}) => {
  await signedIn(page)
  const [code = ''] = await createRecoveryCodesOnPage(page)
  await forgetStepUp(page)
  const username = randomName()
  await askForUsername(page, username)
  await reauthenticationDialog(page).getByLabel('Password', { exact: true }).fill('not the password')
  await reauthenticationButton(page, 'Continue').click()
  const failed = reauthenticationDialog(page).getByRole('alert')
  await expect(failed).toContainText("That isn't your password")
  await reauthenticationButton(page, 'Use a recovery code').click()
  await expect(failed).toBeEmpty()
  await reauthenticationDialog(page).getByLabel('Recovery code').fill(code.toLowerCase().replaceAll('-', ' '))
  const held = await holdAnswers(page, '/api/signin/recovery')
  await reauthenticationButton(page, 'Continue').click()
  await expect.poll(() => held.asked).toBe(1)
  await expect(reauthenticationButton(page, 'Cancel')).toHaveAttribute('aria-disabled', 'true')
  await reauthenticationButton(page, 'Cancel').click({ force: true })
  await expect(reauthenticationDialog(page)).toBeVisible()
  held.release()
  await expectProfile(page, username)
  expect((await account(page)).recoveryCodesLeft).toBe(9)
})

test('cancelling reauthentication changes nothing and says so', async ({ page }) => {
  const username = await signedIn(page)
  await forgetStepUp(page)
  await askForUsername(page, randomName())
  for (const leave of [() => page.keyboard.press('Escape'), () => reauthenticationButton(page, 'Cancel').click()]) {
    await expect(reauthenticationDialog(page)).toBeVisible()
    await leave()
    await expect(reauthenticationDialog(page)).toHaveCount(0)
    await expect(statusMessage(page, "You didn't confirm it's you, so nothing has changed.")).toBeVisible()
    await expect(button(page, 'Save')).toBeFocused()
    await button(page, 'Save').click()
  }
  await expect(reauthenticationDialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(reauthenticationDialog(page)).toHaveCount(0)
  await expect(liveStatus(page)).not.toBeEmpty()
  // The message goes with its form.
  await button(page, 'Cancel').click()
  await expect(liveStatus(page)).toBeEmpty()
  expect((await account(page)).username).toBe(username)
})

test('cancelling reauthentication while its passkey prompt is open says that nothing has changed, too', async ({
  page,
  passkeys,
  faults,
}) => {
  await signUpWithPasskeyOnPage(page)
  await forgetStepUp(page)
  await askForUsername(page, randomName())
  // A failure before the prompt is not shown in place of it.
  await page.route('**/api/auth/login/options', (route) => route.abort(), { times: 1 })
  await reauthenticationButton(page, 'Use a passkey').click()
  await expect(reauthenticationDialog(page).getByText("Can't reach the server")).toBeVisible()
  expect(faults.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')])
  await passkeys.setAnswering(false)
  await reauthenticationButton(page, 'Use a passkey').click()
  await expect(reauthenticationButton(page, 'Waiting for your device…')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(reauthenticationDialog(page)).toHaveCount(0)
  await expect(statusMessage(page, "You didn't confirm it's you, so nothing has changed.")).toBeVisible()
  await passkeys.setAnswering(true)
})

test('changing the password of an old session asks for the current password only once', async ({ page, client }) => {
  const username = await signedIn(page)
  await forgetStepUp(page)
  await open(page, '/profile')
  await button(page, 'Change password').click()
  await page.getByLabel('Current password', { exact: true }).fill('not the password')
  await page.getByLabel('New password', { exact: true }).fill(another)
  await button(page, 'Save').click()
  await expect(page.getByLabel('Current password', { exact: true })).toHaveAccessibleDescription(
    "That isn't your current password.",
  )
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD)
  await button(page, 'Save').click()
  await expect(statusMessage(section(page, 'Password'), 'Password changed.')).toBeVisible()
  await expect(reauthenticationDialog(page)).toHaveCount(0)
  expect((await signInWithPassword(client, username, another)).status).toBe(200)
})

test('a page older than its session keeps asking for the current password once the server has', async ({
  page,
  passkeys: _,
}) => {
  const username = await signUpWithPasskeyOnPage(page)
  expect((await postAs(page, '/api/i/password', { password: PASSWORD })).status()).toBe(200)
  await requestSession(page, '/api/signin', { username, password: PASSWORD })
  const current = page.getByLabel('Current password', { exact: true })
  const fresh = page.getByLabel('New password', { exact: true })
  await button(page, 'Set a password').click()
  await expect(current).toHaveCount(0)
  await fresh.fill(another)
  await button(page, 'Save').click()
  await expect(current).toHaveAccessibleDescription('Enter your current password.')
  await current.fill(PASSWORD)
  await fresh.fill('sunshine2026')
  const held = await holdAnswers(page, '/api/i/password')
  await button(page, 'Save').click()
  await expect.poll(() => held.asked).toBe(1)
  await expect(current).toHaveValue(PASSWORD)
  held.release()
  await expect(fresh).toHaveAccessibleDescription(/attackers try/)
  await fresh.fill(another)
  await button(page, 'Save').click()
  await expect(statusMessage(section(page, 'Password'), 'Password set.')).toBeVisible()
})

test('a response that arrives after the dialog was cancelled does not affect the next dialog', async ({ page }) => {
  await signedIn(page)
  await forgetStepUp(page)
  const username = randomName()
  await askForUsername(page, username)
  const { promise: released, resolve: release } = withResolvers()
  await page.route('**/api/signin', async (route) => {
    await released
    await route.continue()
  })
  const field = reauthenticationDialog(page).getByLabel('Password', { exact: true })
  await field.fill(PASSWORD)
  await Promise.all([page.waitForRequest('**/api/signin'), reauthenticationButton(page, 'Continue').click()])
  // Browsers close a dialog on the second one, whatever the page says.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(reauthenticationDialog(page)).toHaveCount(0)
  await button(page, 'Save').click()
  await expect(reauthenticationDialog(page)).toBeVisible()
  // Checking the session is the last step of the first sign-in.
  const settled = page.waitForResponse('**/api/i')
  release()
  await settled
  await field.fill(PASSWORD)
  await reauthenticationButton(page, 'Continue').click()
  await expectProfile(page, username)
})
