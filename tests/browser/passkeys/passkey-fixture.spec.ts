import { mergeTests } from 'playwright/test'
import { idOf } from '../../passkey-fixture/passkey-events'
import { test as withPasskeys } from '../../passkey-fixture/passkeys'
import { strangeCredential } from '../../passkey-fixture/virtual-authenticator'
import { randomName } from '../../support/accounts'
import { account } from '../../support/browser/account-pages'
import {
  alert,
  button,
  expect,
  expectProfile,
  expectSignedUp,
  liveStatus,
  open,
  ready,
  signedIn,
  signUpWithPasskeyOnPage,
  test,
  usernameField,
  withoutAutofill,
} from '../../support/browser/pages'
import { test as withServers } from '../../support/fixtures'

/** A virtual prompt ends faster than anybody could close one. */
const promptEnded = /^This browser didn't open a passkey prompt\./

test('the fixture registers and signs in, and reports both events', async ({ page, passkeys }) => {
  await withoutAutofill(page)
  const username = await signUpWithPasskeyOnPage(page)
  const added = await passkeys.events.waitFor('added')
  expect(added.credential).toMatchObject({ rpId: 'localhost', userName: username })
  expect((await passkeys.credentials()).map(idOf)).toEqual([added.id])
  const { passkeys: listed } = await account(page)
  expect(listed).toMatchObject([{ id: added.id, transports: ['internal'], backedUp: false }])

  await page.context().clearCookies()
  await open(page, '/signin')
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
  expect(await passkeys.events.waitFor('asserted')).toMatchObject({ id: added.id, credential: { signCount: 2 } })
})

test("a cancelled prompt ends in the browser's own NotAllowedError, and the next prompt is answered", async ({
  page,
  passkeys,
}) => {
  await withoutAutofill(page)
  const username = await signUpWithPasskeyOnPage(page)
  await page.context().clearCookies()
  await open(page, '/signin')
  await passkeys.cancelling(async () => {
    const name = await page.evaluate(async () => {
      const publicKey = { challenge: new Uint8Array(16), userVerification: 'preferred' as const }
      return navigator.credentials.get({ publicKey }).catch((error: DOMException) => error.name)
    })
    expect(name).toBe('NotAllowedError')
    await button(page, 'Sign in with a passkey').click()
    await expect(liveStatus(page)).toHaveText(promptEnded)
  })
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
})

test('an unanswered prompt stays open until the page reloads', async ({ page, passkeys }) => {
  await withoutAutofill(page)
  const username = await signUpWithPasskeyOnPage(page)
  await page.context().clearCookies()
  await open(page, '/signin')
  await passkeys.setAnswering(false)
  await button(page, 'Sign in with a passkey').click()
  await expect(button(page, 'Waiting for your device…')).toHaveAttribute('aria-busy', 'true')
  await passkeys.setAnswering(true)
  await open(page, '/signin')
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
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

test('deleting a passkey on the device emits no event and leaves nothing to sign in with', async ({
  page,
  passkeys,
}) => {
  await withoutAutofill(page)
  await signUpWithPasskeyOnPage(page)
  await page.context().clearCookies()
  await passkeys.deleteOnDevice()
  await open(page, '/signin')
  await button(page, 'Sign in with a passkey').click()
  await expect(liveStatus(page)).toHaveText(promptEnded)
  expect(passkeys.events.seen.map(({ type }) => type)).not.toContain('deleted')
})

test("a page's signal that deletes a passkey is reported", async ({ page, passkeys }) => {
  await withoutAutofill(page)
  const strange = strangeCredential()
  await passkeys.add(strange)
  await open(page, '/signin')
  await button(page, 'Sign in with a passkey').click()
  expect(await passkeys.events.waitFor('deleted')).toEqual({ type: 'deleted', id: idOf(strange) })
  expect(await passkeys.credentials()).toEqual([])
})

test('waiting for an event that never comes fails with the events seen so far', async ({ page, passkeys }) => {
  await signUpWithPasskeyOnPage(page)
  await expect(passkeys.events.waitFor('deleted', 50)).rejects.toThrow(
    'Within 50 ms no further passkey was deleted; seen: added',
  )
})

for (const [kind, attachment, transports] of [
  ['phone', 'cross-platform', ['ble', 'hybrid']],
  ['security-key', 'cross-platform', ['usb']],
] as const) {
  test(`a ${kind} registers as a cross-platform authenticator`, async ({ page, attachPasskeys }) => {
    await attachPasskeys(page, { kind, backup: 'synced' })
    await signedIn(page)
    await open(page, '/passkeys')
    const sent = page.waitForRequest('**/api/auth/register/verify')
    await button(page, 'Add a passkey').click()
    expect((await sent).postDataJSON()).toMatchObject({ authenticatorAttachment: attachment })
    await expect(liveStatus(page)).toHaveText('Passkey added.')
    const { passkeys: listed } = await account(page)
    expect(listed).toMatchObject([{ transports, backedUp: true, deviceType: 'multiDevice' }])
  })
}

mergeTests(withServers, withPasskeys)(
  'required user verification rejects an unverified person and an unverified response',
  async ({ page, passkeys, start }) => {
    const { origin } = await start({ env: { WEBAUTHN_USER_VERIFICATION: 'required' } })
    const username = randomName()
    await open(page, `${origin}/signup`)
    await usernameField(page).fill(username)
    await passkeys.cancelling(async () => {
      await button(page, 'Create account with a passkey').click()
      await expect(liveStatus(page)).toHaveText(promptEnded)
    })
    await passkeys.corrupt({ unverified: true })
    await button(page, 'Create account with a passkey').click()
    await expect(alert(page)).toContainText('Authentication Failed')
    await passkeys.corrupt()
    await passkeys.deleteOnDevice()
    await button(page, 'Create account with a passkey').click()
    await expectSignedUp(page, username)
    await ready(page)
  },
)
