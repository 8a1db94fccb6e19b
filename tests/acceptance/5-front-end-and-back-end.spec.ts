// One host serves the pages and another the API and the database (docs/split-deployment.md).
import { existsSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { VirtualAuthenticator } from '../passkey-fixture/virtual-authenticator'
import {
  authenticate,
  randomName,
  signInWithPassword,
  signUp,
  signUpWithPasskey,
  WRONG_PASSWORD,
} from '../support/accounts'
import {
  alert,
  button,
  expectProfile,
  expectSignedUp,
  open,
  place,
  pressSignOut,
  ready,
  submitSignIn,
  submitSignUp,
  usernameField,
  withoutAutofill,
} from '../support/browser/pages'
import { Client } from '../support/client'
import { expectAuthenticationFailed, expectError, expectSignedIn, expectSignedOut } from '../support/expectations'
import { expect, test } from '../support/network/split-deployment'
import { Authenticator } from '../support/webauthn/authenticator'

const inBrowser = test.extend({ runsOn: ['Chromium'] })

inBrowser(
  'a password signs up, out and in on the pages of the front end, and the backend has the account',
  async ({ page, splitDeployment: { frontEnd, backend } }) => {
    const username = randomName()
    await open(page, `${frontEnd.origin}/profile`)
    expect(place(page)).toBe('/signin?next=%2Fprofile')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await ready(page)
    await submitSignUp(page, username)
    await expectSignedUp(page, username)
    expect((await signInWithPassword(new Client(backend), username)).status).toBe(200)

    await ready(page)
    await pressSignOut(page)
    await page.waitForURL('**/signin')
    await ready(page)
    await submitSignIn(page, username, 'not the password')
    await expect(alert(page)).toContainText('Authentication Failed')
    await submitSignIn(page, username)
    await expectProfile(page, username)
  },
)

inBrowser(
  'a passkey signs up, out and in on the pages of the front end',
  async ({ page, splitDeployment: { frontEnd } }) => {
    await withoutAutofill(page)
    await VirtualAuthenticator.attach(page)
    const username = randomName()
    await open(page, `${frontEnd.origin}/signup`)
    await usernameField(page).fill(username)
    await button(page, 'Create account with a passkey').click()
    await expectSignedUp(page, username)
    await ready(page)
    await pressSignOut(page)
    await page.waitForURL('**/signin')
    await ready(page)
    await button(page, 'Sign in with a passkey').click()
    await expectProfile(page, username)
  },
)

test('the API answers through the front end as it does directly, and the front end stores nothing', async ({
  splitDeployment: { frontEnd, backend },
}) => {
  const client = new Client(frontEnd)
  const { username, token } = await signUp(client)
  await expectSignedIn(new Client(backend, { bearer: token }))
  expectAuthenticationFailed(await signInWithPassword(new Client(frontEnd), username, WRONG_PASSWORD))
  expectError(await new Client(frontEnd).post('/api/signup', { username: '!', password: '' }), 400, 'invalid_request')
  expect((await client.post('/api/signout')).status).toBe(204)
  await expectSignedOut(new Client(backend, { bearer: token }))

  const authenticator = new Authenticator(frontEnd.origin)
  await signUpWithPasskey(new Client(frontEnd), authenticator)
  expect((await authenticate(new Client(frontEnd), authenticator)).status).toBe(200)
  expect(existsSync(dirname(frontEnd.database))).toBe(true)
  expect(readdirSync(dirname(frontEnd.database))).toEqual([])
})

test('while the backend is away the front end answers 503 with a time to try again, and goes on when it is back', async ({
  startSplitDeployment,
}) => {
  const { frontEnd, backend } = await startSplitDeployment({ mode: 'api-only' })
  const client = new Client(frontEnd)
  const { username } = await signUp(client)
  await backend.kill('SIGTERM')
  const answer = await signInWithPassword(new Client(frontEnd), username)
  expectError(answer, 503, 'unavailable')
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  await backend.restart()
  await expectSignedIn(client)
})

test("a front end whose secret differs from its backend's signs nobody in, and the log names JWT_SECRET", async ({
  startSplitDeployment,
}) => {
  const { frontEnd, backend } = await startSplitDeployment({
    mode: 'api-only',
    frontEndEnv: { JWT_SECRET: 'Hq7Zt1XwB9nLr4VcKs8PmYd2GfJu6TeAoW3bRi5NxQk=' },
  })
  const { username } = await signUp(new Client(backend))
  expect((await signInWithPassword(new Client(frontEnd), username)).status).toBe(401)
  await expect.poll(() => frontEnd.output() + backend.output()).toContain('JWT_SECRET')
})
