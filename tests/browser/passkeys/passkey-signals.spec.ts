import { idOf } from '../../passkey-fixture/passkey-events'
import { strangeCredential } from '../../passkey-fixture/virtual-authenticator'
import { account, addPasskey, passkeyButton } from '../../support/browser/account-pages'
import {
  alert,
  button,
  expect,
  open,
  signedIn,
  signUpWithPasskeyOnPage,
  test,
  withoutAutofill,
} from '../../support/browser/pages'
import { watchSignals } from '../../support/browser/webauthn-calls'

test('a passkey is signalled as unknown after a 404, and after no other failure @promise', async ({
  page,
  passkeys,
  faults,
}) => {
  await withoutAutofill(page)
  const signals = await watchSignals(page)
  await signUpWithPasskeyOnPage(page)
  await page.context().clearCookies()
  await open(page, '/signin')
  signals.splice(0)
  await passkeys.corrupt({ bogusSignature: true })
  await button(page, 'Sign in with a passkey').click()
  await expect(alert(page)).toContainText('Authentication Failed')
  await passkeys.corrupt()
  await page.route('**/api/auth/login/verify', (route) => route.fulfill({ status: 503, json: { code: 'unavailable' } }))
  await button(page, 'Sign in with a passkey').click()
  await expect(alert(page)).toContainText('The service is busy')
  expect(faults.splice(0)).toEqual([expect.stringContaining('503')])
  await page.unroute('**/api/auth/login/verify')
  expect(signals).toEqual([])

  const strange = strangeCredential()
  await passkeys.deleteOnDevice()
  await passkeys.add(strange)
  await button(page, 'Sign in with a passkey').click()
  const { id } = await passkeys.events.waitFor('deleted')
  expect(id).toBe(idOf(strange))
  await expect(alert(page)).toContainText('This passkey was removed')
  await expect(alert(page)).toContainText('It is no longer registered here.')
  await expect(button(page, 'Sign in with a passkey')).toBeEnabled()
  expect(signals).toEqual([{ name: 'signalUnknownCredential', parameters: { rpId: 'localhost', credentialId: id } }])
})

test("pages signal the accepted passkeys and the user's details as they load, in base64url, and the details again after a change", async ({
  page,
  passkeys,
}) => {
  const signals = await watchSignals(page)
  await signUpWithPasskeyOnPage(page)
  const { id } = await passkeys.events.waitFor('added')
  const { userHandle, username: name } = await account(page)
  for (const text of [id, userHandle]) expect(Buffer.from(text, 'base64url').toString('base64url')).toBe(text)
  const who = { rpId: 'localhost', userId: userHandle }
  const details = { name: 'signalCurrentUserDetails', parameters: { ...who, name, displayName: name } }
  const accepted = {
    name: 'signalAllAcceptedCredentials',
    parameters: { ...who, allAcceptedCredentialIds: [id] },
  }
  for (const path of ['/profile', '/passkeys']) {
    // The pages that follow signing up send signals of their own: none comes once they are gone.
    await page.goto('/api/health')
    signals.splice(0)
    await open(page, path)
    await expect.poll(() => signals, path).toEqual([accepted, details])
  }
  await passkeyButton(page, 'Rename').click()
  await page.getByLabel('Passkey name').fill('Kitchen laptop')
  await button(page, 'Save').click()
  await expect(page.getByRole('heading', { name: 'Kitchen laptop', exact: true })).toBeVisible()
  // Signals carry the username, never the passkey's name.
  await expect
    .poll(() => signals.filter((signal) => 'name' in signal && signal.name === details.name))
    .toEqual([details, details])
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
  await addPasskey(page)
  await expect(page.getByRole('listitem')).toHaveCount(1)
  await passkeyButton(page, 'Remove').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByRole('listitem')).toHaveCount(0)
  expect(passkeys.events.seen.map(({ type }) => type)).toEqual(['added'])
})
