import type { Page } from 'playwright/test'
import { strangeCredential, VirtualAuthenticator } from '../../passkey-fixture/virtual-authenticator'
import { account } from '../../support/browser/account-pages'
import { watchRequests } from '../../support/browser/page-requests'
import {
  expect,
  expectProfile,
  open,
  signedOut,
  signUpWithPasskeyOnPage,
  signUpWithPasswordOnPage,
  submitSignIn,
  test,
  withCapabilities,
} from '../../support/browser/pages'
import { watchCeremonies } from '../../support/browser/webauthn-calls'

const asked = '/api/auth/register/options'

/**
 * Lets conditional create through: Chromium itself waits for a password manager that has just filled in the password, and
 * with a virtual authenticator there is none. Only `mediation` is removed; the ceremony is real.
 */
async function allowConditionalCreate(page: Page) {
  await page.addInitScript(() => {
    const create = navigator.credentials.create.bind(navigator.credentials)
    navigator.credentials.create = (options) => {
      const { mediation, ...rest } = options as CredentialCreationOptions & { mediation?: string }
      return mediation === 'conditional' ? create(rest) : Promise.reject(new Error('A prompt would have opened'))
    }
  })
}

test('a password sign-in creates a passkey by conditional create, which works for the next sign-in @promise', async ({
  page,
}) => {
  await allowConditionalCreate(page)
  const authenticator = await VirtualAuthenticator.attach(page)
  const username = await signedOut(page)
  const bodies = watchRequests(page, asked)
  await open(page, '/signin')
  await submitSignIn(page, username)
  await expectProfile(page, username)
  expect(bodies).toEqual([{ automatic: true }])
  expect(await authenticator.credentials()).toHaveLength(1)
  expect((await account(page)).passkeys).toHaveLength(1)
  await page.context().clearCookies()
  await page.goto('/signin')
  await expectProfile(page, username)
})

test('a server that never answers the registration options does not hold up the sign-in', async ({
  page,
  passkeys: _,
}) => {
  const username = await signedOut(page)
  await page.route(`**${asked}`, () => undefined)
  await open(page, '/signin')
  await submitSignIn(page, username)
  await expectProfile(page, username)
})

test('no passkey is created when the browser does not support conditional create, or cannot be asked about it', async ({
  page,
  context,
}) => {
  await withCapabilities(page, { conditionalCreate: false })
  const silent = await context.newPage()
  await silent.addInitScript(() => {
    Reflect.defineProperty(PublicKeyCredential, 'getClientCapabilities', { value: undefined })
  })
  for (const tab of [page, silent]) {
    const username = await signedOut(page)
    const bodies = watchRequests(tab, asked)
    await open(tab, '/signin')
    await submitSignIn(tab, username)
    await expectProfile(tab, username)
    expect(bodies).toEqual([])
  }
})

test('conditional create follows neither a sign-up nor a passkey sign-in', async ({ page, passkeys: _ }) => {
  const bodies = watchRequests(page, asked)
  await signUpWithPasswordOnPage(page)
  expect(bodies).toEqual([])

  await page.context().clearCookies()
  const withPasskey = await signUpWithPasskeyOnPage(page)
  await page.context().clearCookies()
  await page.goto('/signin')
  await expectProfile(page, withPasskey)
  expect(bodies).toEqual([{ username: withPasskey }])
})

test('conditional create uses conditional mediation and aborts pending autofill', async ({ page, passkeys }) => {
  const calls = await watchCeremonies(page)
  const username = await signedOut(page)
  // A passkey that does not answer keeps the autofill request pending.
  await passkeys.add(strangeCredential())
  await passkeys.setAnswering(false)
  await open(page, '/signin')
  await expect.poll(() => calls).toMatchObject([{ name: 'get', outcome: 'pending' }])
  await submitSignIn(page, username)
  await expectProfile(page, username)
  // Chromium never settles conditional create with a virtual authenticator, so it ends at the timeout.
  expect(calls).toMatchObject([
    { name: 'get', mediation: 'conditional', outcome: 'AbortError' },
    { name: 'create', mediation: 'conditional', abortable: true, outcome: 'AbortError', pendingGets: 0 },
  ])
  expect(await passkeys.credentials()).toHaveLength(1)
})

test('an error during conditional create is ignored silently', async ({ page, passkeys: _ }) => {
  // Stands in for the browser, which never settles conditional create with a virtual authenticator.
  await page.addInitScript(() => {
    navigator.credentials.create = () => Promise.reject(new DOMException('Rejected', 'InvalidStateError'))
  })
  const calls = await watchCeremonies(page)
  const username = await signedOut(page)
  await open(page, '/signin')
  await submitSignIn(page, username)
  await expectProfile(page, username)
  expect(calls.at(-1)).toMatchObject({ name: 'create', mediation: 'conditional', outcome: 'InvalidStateError' })
  await expect(page.locator('main').getByRole('alert').filter({ hasText: /\S/ })).toHaveCount(0)
})
