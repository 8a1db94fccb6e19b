import type { BrowserContext } from 'playwright/test'
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
} from '../../support/browser/pages'
import { forgetStepUp, stepUpOf, storeStepUp } from '../../support/browser/step-up'

async function openInNewTab(context: BrowserContext, path: string) {
  const tab = await context.newPage()
  await open(tab, path)
  return tab
}

test('after signing in, neither that tab nor a new one asks for a credential again, and a tab that reauthenticates hands its token to the others @promise', async ({
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

  for (const tab of [page, other]) await forgetStepUp(tab)
  const changed = await submitUsername(other)
  await reauthenticate(other)
  await expectProfile(other, changed)
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

test('without storage and channels, reauthenticating lasts as long as the page, and a new tab asks for a credential', async ({
  page,
  context,
}) => {
  await context.addInitScript(() => {
    Reflect.deleteProperty(window, 'BroadcastChannel')
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
  const other = await openInNewTab(context, '/profile')
  const changed = await submitUsername(other)
  await reauthenticate(other)
  await expectProfile(other, changed)
  await pressSignOut(other)
  await other.waitForURL('/signin')
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
  await expect(reauthenticationDialog(page).getByLabel('Recovery code')).toBeFocused()
  await reauthenticationDialog(page).getByLabel('Recovery code').fill(code)
  await reauthenticationButton(page, 'Continue').click()
  await expectProfile(page, username)
  expect(verified).toHaveLength(1)
})
