import { account } from '../../support/browser/account-pages'
import {
  alert,
  button,
  expect,
  expectProfile,
  liveStatus,
  open,
  signedIn,
  signUpWithPasskeyOnPage,
  test,
  withoutAutofill,
} from '../../support/browser/pages'
import { watchCeremonies } from '../../support/browser/webauthn-calls'

test('the list of passkeys starts empty and shows a new passkey immediately', async ({ page, passkeys: _ }) => {
  await signedIn(page)
  await open(page, '/passkeys')
  await expect(page.getByRole('heading', { name: 'No passkeys yet' })).toBeVisible()
  await expect(page.getByRole('listitem')).toHaveCount(0)
  await button(page, 'Add a passkey').click()
  await expect(liveStatus(page)).toHaveText('Passkey added.')
  await expect(page.getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('listitem')).toContainText('Not used yet')
  await expect(page.getByRole('heading', { name: 'No passkeys yet' })).toHaveCount(0)
})

test('a device that already has a passkey for the account gets no second one', async ({ page, passkeys }) => {
  await signUpWithPasskeyOnPage(page)
  await open(page, '/passkeys')
  await button(page, 'Add a passkey').click()
  await expect(alert(page)).toContainText('You already have a passkey here')
  await expect(page.getByRole('listitem')).toHaveCount(1)
  expect(await passkeys.credentials()).toHaveLength(1)
})

test('ceremonies pass bytes and an abort signal to the browser, and base64url to the server', async ({
  page,
  passkeys,
}) => {
  await withoutAutofill(page)
  const calls = await watchCeremonies(page)
  const registering = page.waitForRequest('**/api/auth/register/verify')
  const username = await signUpWithPasskeyOnPage(page)
  const { id } = await passkeys.events.waitFor('added')
  const base64url = expect.stringMatching(/^[\w-]{20,}$/)
  expect((await registering).postDataJSON()).toMatchObject({
    id,
    rawId: id,
    type: 'public-key',
    response: { clientDataJSON: base64url, attestationObject: base64url, transports: ['internal'] },
  })
  await page.context().clearCookies()
  await open(page, '/signin')
  const signingIn = page.waitForRequest('**/api/auth/login/verify')
  await button(page, 'Sign in with a passkey').click()
  expect((await signingIn).postDataJSON()).toMatchObject({
    id,
    rawId: id,
    type: 'public-key',
    response: { clientDataJSON: base64url, authenticatorData: base64url, signature: base64url, userHandle: base64url },
  })
  await expectProfile(page, username)
  const common = { abortable: true, mediation: 'optional', outcome: 'PublicKeyCredential', pendingGets: 0 }
  expect(calls).toEqual([
    { ...common, name: 'create', binary: { challenge: 'ArrayBuffer', user: 'ArrayBuffer' } },
    { ...common, name: 'get', binary: { challenge: 'ArrayBuffer' } },
  ])
})

test('a bogus signature and an answer without presence fail with a message, and a valid response afterwards succeeds', async ({
  page,
  passkeys,
}) => {
  await withoutAutofill(page)
  const username = await signUpWithPasskeyOnPage(page)
  await page.context().clearCookies()
  await open(page, '/signin')
  for (const corruption of [{ bogusSignature: true }, { absent: true }]) {
    await passkeys.corrupt(corruption)
    const answered = page.waitForResponse('**/api/auth/login/verify')
    await button(page, 'Sign in with a passkey').click()
    expect((await answered).status()).toBe(401)
    await expect(alert(page)).toContainText('Authentication Failed')
  }
  await passkeys.corrupt()
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
})

test('a signature counter that went backwards is rejected', async ({ page, passkeys }) => {
  await withoutAutofill(page)
  const username = await signUpWithPasskeyOnPage(page)
  await page.context().clearCookies()
  await passkeys.change({ signCount: 0 })
  await open(page, '/signin')
  const answered = page.waitForResponse('**/api/auth/login/verify')
  await button(page, 'Sign in with a passkey').click()
  expect((await answered).status()).toBe(401)
  await expect(alert(page)).toContainText('This passkey may have been copied')
  await expect(alert(page)).toContainText('remove this passkey and add a new one')
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
})

test('a phone registers as a cross-platform authenticator', async ({ page, attachPasskeys }) => {
  await attachPasskeys(page, { kind: 'phone', backup: 'synced' })
  await signedIn(page)
  await open(page, '/passkeys')
  const sent = page.waitForRequest('**/api/auth/register/verify')
  await button(page, 'Add a passkey').click()
  expect((await sent).postDataJSON()).toMatchObject({ authenticatorAttachment: 'cross-platform' })
  await expect(liveStatus(page)).toHaveText('Passkey added.')
  const { passkeys: listed } = await account(page)
  expect(listed).toMatchObject([{ transports: ['ble', 'hybrid'], backedUp: true, deviceType: 'multiDevice' }])
})
