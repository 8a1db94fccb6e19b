import type { Page } from 'playwright/test'
import { randomName } from '../../support/accounts'
import {
  alert,
  button,
  expect,
  expectProfile,
  expectSignedUp,
  open,
  signUpWithPasskeyOnPage,
  test,
  usernameField,
  withoutAutofill,
} from '../../support/browser/pages'
import { watchCeremonies } from '../../support/browser/webauthn-calls'

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

test('passkey autofill uses conditional mediation and is aborted by the button', async ({ page, passkeys }) => {
  const calls = await watchCeremonies(page)
  const username = await signUpWithPasskeyOnPage(page)
  calls.splice(0)
  await page.context().clearCookies()
  await passkeys.setAnswering(false)
  await open(page, '/signin')
  await expect.poll(() => calls).toMatchObject([{ mediation: 'conditional', outcome: 'pending' }])
  await passkeys.setAnswering(true)
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
  expect(calls).toMatchObject([
    { name: 'get', mediation: 'conditional', abortable: true, outcome: 'AbortError' },
    { name: 'get', mediation: 'optional', outcome: 'PublicKeyCredential' },
  ])
})

/** Changes the server's options so that the browser itself rejects them. */
async function tamperWithOptions(page: Page, path: string, changes: object) {
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), ...changes } })
  })
}

const elsewhere = { id: 'elsewhere.example', name: 'Elsewhere' }

test('a SecurityError while creating a passkey is explained, and trying again works', async ({ page, passkeys }) => {
  await tamperWithOptions(page, '/api/auth/register/options', { rp: elsewhere })
  const username = randomName()
  await open(page, '/signup')
  await usernameField(page).fill(username)
  await button(page, 'Create account with a passkey').click()
  await expect(alert(page)).toContainText(/Passkeys don't work at this address\s*Open the site/)
  expect(await passkeys.credentials()).toEqual([])
  await page.unroute('**/api/auth/register/options')
  await button(page, 'Create account with a passkey').click()
  await expectSignedUp(page, username)
})

test('a SecurityError while signing in is explained, and trying again works', async ({ page, passkeys: _ }) => {
  await withoutAutofill(page)
  const username = await signUpWithPasskeyOnPage(page)
  await page.context().clearCookies()
  await page.route('**/signin', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replaceAll('\\"rpId\\":\\"localhost', `\\"rpId\\":\\"${elsewhere.id}`)
    await route.fulfill({ response, body })
  })
  await open(page, '/signin')
  await button(page, 'Sign in with a passkey').click()
  await expect(alert(page)).toContainText(/Passkeys don't work at this address\s*Open the site/)
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
})
