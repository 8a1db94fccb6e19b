import type { Page } from 'playwright/test'
import { idOf } from '../passkey-fixture/passkey-events'
import { strangeCredential } from '../passkey-fixture/virtual-authenticator'
import { passkeyButton } from '../support/account-pages'
import { randomName } from '../support/accounts'
import {
  alert,
  button,
  expect,
  expectProfile,
  open,
  ready,
  signedIn,
  signUpWithPasskey,
  test,
  withoutAutofill,
} from '../support/pages'
import { watchSignals } from '../support/webauthn-calls'

const account = async (page: Page) => (await page.request.post('/api/i')).json()

test('a passkey is signalled as unknown after a 404, and after no other failure', async ({
  page,
  passkeys,
  faults,
}) => {
  await withoutAutofill(page)
  const signals = await watchSignals(page)
  await signUpWithPasskey(page)
  await page.context().clearCookies()
  await open(page, '/signin')
  signals.splice(0)
  await passkeys.corrupt({ bogusSignature: true })
  await button(page, 'Sign in with a passkey').click()
  await expect(alert(page)).toContainText('Authentication Failed')
  await passkeys.corrupt()
  await page.route('**/api/auth/login/verify', (route) => route.fulfill({ status: 503, json: { code: 'unavailable' } }))
  await button(page, 'Sign in with a passkey').click()
  await expect(alert(page)).toContainText('Something went wrong on our end.')
  expect(faults.splice(0)).toEqual([expect.stringContaining('503')])
  await page.unroute('**/api/auth/login/verify')
  expect(signals).toEqual([])

  const strange = strangeCredential()
  await passkeys.deleteOnDevice()
  await passkeys.add(strange)
  await button(page, 'Sign in with a passkey').click()
  const { id } = await passkeys.events.waitFor('deleted')
  expect(id).toBe(idOf(strange))
  expect(signals).toEqual([{ name: 'signalUnknownCredential', parameters: { rpId: 'localhost', credentialId: id } }])
})

for (const path of ['/profile', '/passkeys']) {
  test(`${path} signals the accepted passkeys as it loads, in base64url`, async ({ page, passkeys }) => {
    const signals = await watchSignals(page)
    await signUpWithPasskey(page)
    const { id } = await passkeys.events.waitFor('added')
    const { userHandle } = await account(page)
    const parameters = { rpId: 'localhost', userId: userHandle, allAcceptedCredentialIds: [id] }
    const signal = { name: 'signalAllAcceptedCredentials', parameters }
    // Signing up ended on the profile, which sent its own signal.
    await expect.poll(() => signals).toEqual([signal])
    await open(page, path)
    await expect.poll(() => signals).toEqual([signal, signal])
    for (const text of [id, userHandle]) expect(Buffer.from(text, 'base64url').toString('base64url')).toBe(text)
  })
}

test('a changed username is signalled to the password manager', async ({ page, passkeys }) => {
  const signals = await watchSignals(page)
  await signUpWithPasskey(page)
  const { userHandle } = await account(page)
  const name = randomName()
  await ready(page)
  await button(page, 'Change username').click()
  await page.getByLabel('New username').fill(name)
  await button(page, 'Save').click()
  await expectProfile(page, name)
  const { credential } = await passkeys.events.waitFor('updated')
  expect(credential).toMatchObject({ userName: name, userDisplayName: name })
  expect(signals.filter((signal) => signal.name === 'signalCurrentUserDetails')).toEqual([
    {
      name: 'signalCurrentUserDetails',
      parameters: { rpId: 'localhost', userId: userHandle, name, displayName: name },
    },
  ])
})

test('renaming a passkey signals the username again', async ({ page, passkeys }) => {
  const signals = await watchSignals(page)
  const name = await signUpWithPasskey(page)
  const { userHandle } = await account(page)
  await passkeys.events.waitFor('added')
  await open(page, '/passkeys')
  await passkeyButton(page, 'Rename').click()
  await page.getByLabel('Passkey name').fill('Kitchen laptop')
  await button(page, 'Save').click()
  await expect(page.getByRole('heading', { name: 'Kitchen laptop', exact: true })).toBeVisible()
  // Signals carry the username, never the passkey's name.
  const parameters = { rpId: 'localhost', userId: userHandle, name, displayName: name }
  const details = () => signals.filter((signal) => signal.name === 'signalCurrentUserDetails')
  await expect.poll(details).toEqual([{ name: 'signalCurrentUserDetails', parameters }])
})

test('pages work in a browser without the Signal API', async ({ page, passkeys }) => {
  await page.addInitScript(() => {
    for (const name of Object.getOwnPropertyNames(PublicKeyCredential)) {
      if (name.startsWith('signal')) Reflect.deleteProperty(PublicKeyCredential, name)
    }
  })
  await signedIn(page)
  await open(page, '/passkeys')
  expect(await page.evaluate(() => 'signalAllAcceptedCredentials' in PublicKeyCredential)).toBe(false)
  await button(page, 'Add a passkey').click()
  await expect(page.getByRole('listitem')).toHaveCount(1)
  await passkeyButton(page, 'Remove').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByRole('listitem')).toHaveCount(0)
  expect(passkeys.events.seen.map(({ type }) => type)).toEqual(['added'])
})
