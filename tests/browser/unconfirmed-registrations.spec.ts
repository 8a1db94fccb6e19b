import { VirtualAuthenticator } from '../passkey-fixture/virtual-authenticator'
import { randomName, registrationOptions } from '../support/accounts'
import { Authenticator } from '../support/authenticator'
import { Client } from '../support/client'
import { rejectRegistration } from '../support/page-requests'
import { alert, button, expect, expectProfile, open, remark, signedIn, test, usernameField } from '../support/pages'

test('a passkey that the server refuses to keep is dropped by the password manager, too', async ({ page, server }) => {
  const authenticator = await VirtualAuthenticator.attach(page)
  const username = randomName()
  await rejectRegistration(page, server)
  await open(page, '/signup')
  await usernameField(page).fill(username)
  await button(page, 'Create a passkey').click()
  await expect(alert(page)).toContainText('Authentication Failed')
  await authenticator.events.waitFor('deleted')
  expect(await authenticator.credentials()).toEqual([])

  await page.unroute('**/api/auth/register/verify')
  await button(page, 'Create a passkey').click()
  await expectProfile(page, username)
  expect(await authenticator.credentials()).toHaveLength(1)
})

test('a passkey that is registered already stays where it is', async ({ page, client, server }) => {
  const authenticator = await VirtualAuthenticator.attach(page)
  // Another account registers a passkey of the same id before the page's own answer arrives.
  await page.route('**/api/auth/register/verify', async (route) => {
    const options = await registrationOptions(client, randomName())
    const answer = new Authenticator(server.origin).create(options, { id: route.request().postDataJSON().id })
    expect((await client.post('/api/auth/register/verify', answer)).status).toBe(201)
    await route.continue()
  })
  await open(page, '/signup')
  await usernameField(page).fill(randomName())
  await button(page, 'Create a passkey').click()
  await expect(alert(page)).toContainText('This device already has a passkey for this account.')
  await open(page, '/signup')
  expect(authenticator.events.seen.map(({ type }) => type)).toEqual(['added'])
  expect(await authenticator.credentials()).toHaveLength(1)
})

test('a registration whose answer was lost counts when the account has the passkey', async ({ page, faults }) => {
  const authenticator = await VirtualAuthenticator.attach(page)
  const username = randomName()
  await page.route('**/api/auth/register/verify', async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await open(page, '/signup')
  await usernameField(page).fill(username)
  await button(page, 'Create a passkey').click()
  await expectProfile(page, username)
  expect(await authenticator.credentials()).toHaveLength(1)
  expect(faults.splice(0)).toEqual([expect.stringContaining('ERR_CONNECTION_RESET')])
})

test('a registration that the browser sent twice counts once, and is not taken for refused', async ({ page }) => {
  const authenticator = await VirtualAuthenticator.attach(page)
  await signedIn(page)
  await page.route('**/api/auth/register/verify', async (route) => {
    expect((await route.fetch()).status()).toBe(201)
    await route.continue()
  })
  await open(page, '/passkeys')
  await button(page, 'Add a passkey').click()
  await expect(remark(page)).toContainText('added')
  expect(await authenticator.credentials()).toHaveLength(1)
})

test('a new account whose answer was lost with its session keeps its passkey', async ({ page, server }) => {
  const authenticator = await VirtualAuthenticator.attach(page)
  await page.route('**/api/auth/register/verify', async (route) => {
    // Sent twice, as browsers do after a broken connection; the first answer and its cookies arrive nowhere.
    const body = route.request().postDataJSON()
    expect((await new Client(server).post('/api/auth/register/verify', body)).status).toBe(201)
    await route.continue()
  })
  const username = randomName()
  await open(page, '/signup')
  await usernameField(page).fill(username)
  await button(page, 'Create a passkey').click()
  await expect(alert(page)).toContainText('Authentication Failed')
  await page.unroute('**/api/auth/register/verify')
  expect(authenticator.events.seen.map(({ type }) => type)).toEqual(['added'])
  await page.goto('/signin')
  await expectProfile(page, username)
})

test('a registration that never arrived is dropped by the password manager, once the account is seen without it', async ({
  page,
  faults,
}) => {
  const authenticator = await VirtualAuthenticator.attach(page)
  await signedIn(page)
  await page.route('**/api/auth/register/verify', (route) =>
    route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }),
  )
  await open(page, '/passkeys')
  await button(page, 'Add a passkey').click()
  await expect(alert(page)).toContainText('Something went wrong on our end.')
  expect(await authenticator.credentials()).toHaveLength(1)
  await open(page, '/passkeys')
  await authenticator.events.waitFor('deleted')
  expect(faults.splice(0)).toEqual([expect.stringContaining('502')])
})

test('while nobody can tell whether a passkey was kept, the password manager is told nothing', async ({
  page,
  faults,
}) => {
  const authenticator = await VirtualAuthenticator.attach(page)
  await page.route('**/api/auth/register/verify', (route) => route.abort('connectionreset'))
  await open(page, '/signup')
  await usernameField(page).fill(randomName())
  await button(page, 'Create a passkey').click()
  await expect(alert(page)).toContainText("Couldn't reach the server.")
  await open(page, '/signup')
  expect(authenticator.events.seen.map(({ type }) => type)).toEqual(['added'])
  expect(await authenticator.credentials()).toHaveLength(1)
  expect(faults.splice(0)).toEqual([expect.stringContaining('ERR_CONNECTION_RESET')])
})

test('nor where a second request was refused and the account cannot be asked', async ({ page, faults }) => {
  const authenticator = await VirtualAuthenticator.attach(page)
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
  expect(await authenticator.credentials()).toHaveLength(1)
  expect(faults.splice(0)).toEqual([expect.stringContaining('ERR_CONNECTION_RESET')])
})

test('a new account that is refused because another tab signed in meanwhile is told so', async ({ page }) => {
  const authenticator = await VirtualAuthenticator.attach(page)
  await page.route('**/api/auth/register/verify', async (route) => {
    await signedIn(page)
    await route.continue()
  })
  await open(page, '/signup')
  await usernameField(page).fill(randomName())
  await button(page, 'Create a passkey').click()
  await expect(alert(page)).toContainText("You're already signed in, possibly in another tab.")
  await authenticator.events.waitFor('deleted')
})
