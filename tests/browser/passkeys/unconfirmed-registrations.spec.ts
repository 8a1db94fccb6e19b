import type { Page } from 'playwright/test'
import { randomName, registrationOptions } from '../../support/accounts'
import { rejectRegistration } from '../../support/browser/page-requests'
import {
  alert,
  button,
  expect,
  expectProfile,
  expectSignedUp,
  liveStatus,
  open,
  signedIn,
  test,
  usernameField,
} from '../../support/browser/pages'
import { Client } from '../../support/client'
import { Authenticator } from '../../support/webauthn/authenticator'

/** Fills in and sends the sign-up form, with a passkey. */
async function submitPasskey(page: Page, username = randomName()) {
  await open(page, '/signup')
  await usernameField(page).fill(username)
  await button(page, 'Create account with a passkey').click()
}

test('a passkey that the server rejects is removed from the password manager @promise', async ({
  page,
  server,
  passkeys,
}) => {
  const username = randomName()
  await rejectRegistration(page, server)
  await submitPasskey(page, username)
  await expect(alert(page)).toContainText('Authentication Failed')
  await passkeys.events.waitFor('deleted')
  expect(await passkeys.credentials()).toEqual([])

  await page.unroute('**/api/auth/register/verify')
  await button(page, 'Create account with a passkey').click()
  await expectSignedUp(page, username)
  expect(await passkeys.credentials()).toHaveLength(1)
})

test('a passkey that is already registered stays in the password manager', async ({
  page,
  client,
  server,
  passkeys,
}) => {
  // Another account registers a passkey with the same id first.
  await page.route('**/api/auth/register/verify', async (route) => {
    const options = await registrationOptions(client, randomName())
    const answer = new Authenticator(server.origin).create(options, { id: route.request().postDataJSON().id })
    expect((await client.post('/api/auth/register/verify', answer)).status).toBe(201)
    await route.continue()
  })
  await submitPasskey(page)
  await expect(alert(page)).toContainText('You already have a passkey here')
  await open(page, '/signup')
  expect(passkeys.events.seen.map(({ type }) => type)).toEqual(['added'])
  expect(await passkeys.credentials()).toHaveLength(1)
})

test('a registration with a lost response counts when the account has the passkey', async ({
  page,
  faults,
  passkeys,
}) => {
  const username = randomName()
  await page.route('**/api/auth/register/verify', async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await submitPasskey(page, username)
  await expectSignedUp(page, username)
  expect(await passkeys.credentials()).toHaveLength(1)
  expect(faults.splice(0)).toEqual([expect.stringContaining('ERR_CONNECTION_RESET')])
})

test('a registration that the browser sent twice counts once and is not reported as failed', async ({
  page,
  passkeys,
}) => {
  await signedIn(page)
  await page.route('**/api/auth/register/verify', async (route) => {
    expect((await route.fetch()).status()).toBe(201)
    await route.continue()
  })
  await open(page, '/passkeys')
  await button(page, 'Add a passkey').click()
  await expect(liveStatus(page)).toContainText('added')
  expect(await passkeys.credentials()).toHaveLength(1)
})

test('a new account whose response and session were lost keeps its passkey', async ({ page, server, passkeys }) => {
  await page.route('**/api/auth/register/verify', async (route) => {
    // Sent twice, as browsers do after a broken connection; the first response and its cookies are lost.
    const body = route.request().postDataJSON()
    expect((await new Client(server).post('/api/auth/register/verify', body)).status).toBe(201)
    await route.continue()
  })
  const username = randomName()
  await submitPasskey(page, username)
  await expect(alert(page)).toContainText('Authentication Failed')
  await page.unroute('**/api/auth/register/verify')
  expect(passkeys.events.seen.map(({ type }) => type)).toEqual(['added'])
  await page.goto('/signin')
  await expectProfile(page, username)
})

test('a registration that never arrived is removed from the password manager once the account is seen without it', async ({
  page,
  faults,
  passkeys,
}) => {
  await signedIn(page)
  await page.route('**/api/auth/register/verify', (route) =>
    route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }),
  )
  await open(page, '/passkeys')
  await button(page, 'Add a passkey').click()
  await expect(alert(page)).toContainText('Something went wrong on our end')
  expect(await passkeys.credentials()).toHaveLength(1)
  await open(page, '/passkeys')
  await passkeys.events.waitFor('deleted')
  expect(faults.splice(0)).toEqual([expect.stringContaining('502')])
})

test('nothing is signalled while it is unknown whether a passkey was registered', async ({
  page,
  faults,
  passkeys,
}) => {
  await page.route('**/api/auth/register/verify', (route) => route.abort('connectionreset'))
  await submitPasskey(page)
  await expect(alert(page)).toContainText("Can't reach the server")
  await open(page, '/signup')
  expect(passkeys.events.seen.map(({ type }) => type)).toEqual(['added'])
  expect(await passkeys.credentials()).toHaveLength(1)
  expect(faults.splice(0)).toEqual([expect.stringContaining('ERR_CONNECTION_RESET')])
})

test('nothing is signalled when a repeated registration is rejected and the account cannot be read', async ({
  page,
  faults,
  passkeys,
}) => {
  await signedIn(page)
  await open(page, '/passkeys')
  await page.route('**/api/auth/register/verify', async (route) => {
    expect((await route.fetch()).status()).toBe(201)
    await page.route('**/api/i', (asked) => asked.abort('connectionreset'))
    await route.continue()
  })
  await button(page, 'Add a passkey').click()
  await expect(alert(page)).toContainText("Couldn't add the passkey")
  await page.unroute('**/api/i')
  await open(page, '/passkeys')
  await expect(page.getByRole('listitem')).toHaveCount(1)
  expect(await passkeys.credentials()).toHaveLength(1)
  expect(faults.splice(0)).toEqual([expect.stringContaining('ERR_CONNECTION_RESET')])
})

test('a sign-up rejected because another tab has signed in says so', async ({ page, passkeys }) => {
  await page.route('**/api/auth/register/verify', async (route) => {
    await signedIn(page)
    await route.continue()
  })
  await submitPasskey(page)
  await expect(alert(page)).toContainText(/You're already signed in\s*Possibly in another tab\./)
  await passkeys.events.waitFor('deleted')
})
