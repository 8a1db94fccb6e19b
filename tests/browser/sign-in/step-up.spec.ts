import type { BrowserContext } from 'playwright/test'
import { VirtualAuthenticator } from '../../passkey-fixture/virtual-authenticator'
import { PASSWORD, randomName } from '../../support/accounts'
import {
  createRecoveryCodesOnPage,
  errorMessage,
  reauthenticate,
  reauthenticationButton,
  reauthenticationDialog,
  submitUsername,
} from '../../support/browser/account-pages'
import { watchRequests } from '../../support/browser/page-requests'
import {
  button,
  expect,
  expectProfile,
  open,
  pressSignOut,
  ready,
  signedIn,
  signedOut,
  signUpWithPasskeyOnPage,
  submitSignIn,
  test,
  withoutAutofill,
} from '../../support/browser/pages'
import { forgetStepUp, stepUpOf, storeStepUp } from '../../support/browser/step-up'

async function openInNewTab(context: BrowserContext, path: string) {
  const tab = await context.newPage()
  await open(tab, path)
  return tab
}

test('after signing in, neither that tab nor a new one asks for a credential again @promise', async ({
  page,
  context,
}) => {
  const username = await signedOut(page)
  await open(page, '/signin')
  await submitSignIn(page, username)
  await expectProfile(page, username)
  await ready(page)
  await expectProfile(page, await submitUsername(page))

  const other = await openInNewTab(context, '/profile')
  expect(await stepUpOf(other)).toBeNull()
  await expectProfile(other, await submitUsername(other))
  expect(await stepUpOf(other)).toBe(await stepUpOf(page))
})

test('a tab that reauthenticates hands its new token to the other tabs', async ({ page, context }) => {
  await signedIn(page)
  await open(page, '/profile')
  const other = await openInNewTab(context, '/profile')
  await forgetStepUp(page)
  const username = await submitUsername(other)
  await reauthenticate(other)
  await expectProfile(other, username)
  expect(await stepUpOf(page)).toBe(await stepUpOf(other))
  await expectProfile(page, await submitUsername(page))
})

test('a token of another session that a tab hands over opens the dialog, once', async ({ page, context }) => {
  await signedIn(page)
  await open(page, '/profile')
  const other = await openInNewTab(context, '/profile')
  const cookies = await context.cookies()
  await context.clearCookies()
  await signedIn(other)
  await storeStepUp(other)
  await context.addCookies(cookies)
  await forgetStepUp(page)
  const username = await submitUsername(page)
  await expect(reauthenticationDialog(page)).toBeVisible()
  expect(await stepUpOf(page)).toBe(await stepUpOf(other))
  await reauthenticate(page)
  await expectProfile(page, username)
})

test('tabs ignore malformed messages of other tabs, and any message of another window', async ({ page, context }) => {
  await signedIn(page)
  await open(page, '/profile')
  const token = await stepUpOf(page)
  const other = await openInNewTab(context, '/profile')
  const at = Date.now() + 60_000
  await other.evaluate(
    (messages) => {
      for (const message of messages) new BroadcastChannel('latchkey').postMessage(message)
    },
    [
      ...[null, 'signed-out', ['signed-out'], {}, { type: 'signed out' }, { type: ['signed-out'] }],
      ...[
        { type: 'step-up', at },
        { type: 'step-up', token: 7, at },
        { type: 'step-up', token: 'planted', at: `${at}` },
      ],
    ],
  )
  // Nothing listens to what windows send: any page that has opened this one could.
  await page.evaluate((sent) => window.postMessage(sent, '*'), { type: 'step-up', token: 'planted', at })
  // Messages arrive in order: the answer to this one is behind all of them.
  await forgetStepUp(other)
  await expectProfile(other, await submitUsername(other))
  expect(await stepUpOf(other)).toBe(token)
  expect(await stepUpOf(page)).toBe(token)
})

test('a new tab asks for a credential where tabs cannot talk to each other', async ({ page, context }) => {
  await context.addInitScript(() => Reflect.deleteProperty(window, 'BroadcastChannel'))
  await signedIn(page)
  await open(page, '/profile')
  const other = await openInNewTab(context, '/profile')
  const username = await submitUsername(other)
  await reauthenticate(other)
  await expectProfile(other, username)
  await pressSignOut(other)
  await other.waitForURL('/signin')
})

test('without storage, reauthenticating lasts as long as the page', async ({ page }) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError')
    }
  })
  await page.request.post('/api/signup', { data: { username: randomName(), password: PASSWORD } })
  await open(page, '/profile')
  const username = await submitUsername(page)
  await reauthenticate(page)
  await expectProfile(page, username)
  await expectProfile(page, await submitUsername(page))
})

test('a passkey sign-in without user verification does not count as a step-up', async ({ page }) => {
  await withoutAutofill(page)
  const authenticator = await VirtualAuthenticator.attach(page)
  const username = await signUpWithPasskeyOnPage(page)
  await page.context().clearCookies()
  await forgetStepUp(page)
  await authenticator.corrupt({ unverified: true })
  await open(page, '/signin')
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
  await ready(page)
  await authenticator.corrupt()
  const changed = await submitUsername(page)
  await reauthenticationButton(page, 'Use a passkey').click()
  await expectProfile(page, changed)
})

const notChecked = "Your device didn't check that it's you"

test('reauthenticating with a passkey without user verification is rejected with the reason, and a recovery code works instead', async ({
  page,
  passkeys,
}) => {
  const before = await signUpWithPasskeyOnPage(page)
  const [code = ''] = await createRecoveryCodesOnPage(page)
  await open(page, '/profile')
  await forgetStepUp(page)
  await passkeys.corrupt({ unverified: true })
  const verified = watchRequests(page, '/api/auth/login/verify')
  const username = await submitUsername(page)
  await reauthenticationButton(page, 'Use a passkey').click()
  await expect(errorMessage(reauthenticationDialog(page), notChecked)).toBeVisible()
  await expectProfile(page, before)
  await reauthenticationDialog(page).getByLabel('Recovery code').fill(code)
  await reauthenticationButton(page, 'Continue').click()
  await expectProfile(page, username)
  expect(verified).toHaveLength(1)
})

test('after reauthenticating with a passkey without user verification, the password and another try are offered', async ({
  page,
}) => {
  await withoutAutofill(page)
  const authenticator = await VirtualAuthenticator.attach(page)
  await signedIn(page)
  await open(page, '/passkeys')
  await button(page, 'Add a passkey').click()
  await expect(page.getByRole('listitem')).toHaveCount(1)
  await open(page, '/profile')
  await forgetStepUp(page)
  await authenticator.corrupt({ unverified: true })
  const username = await submitUsername(page)
  await reauthenticationButton(page, 'Use a passkey').click()
  await expect(errorMessage(reauthenticationDialog(page), notChecked)).toBeVisible()
  await expect(reauthenticationDialog(page).getByLabel('Password', { exact: true })).toBeVisible()
  await authenticator.corrupt()
  await reauthenticationButton(page, 'Use a passkey').click()
  await expectProfile(page, username)
})
