import { type BrowserContext, expect, test } from 'playwright/test'
import { authenticate, signInWithPassword, signUp, signUpWithPasskey } from '../support/accounts'
import { expectProfile, open, submitSignIn } from '../support/browser/pages'
import { Client } from '../support/client'
import { expectAuthenticationFailed, expectSignedIn, expectSignedOut } from '../support/expectations'
import { Authenticator } from '../support/webauthn/authenticator'
import { origin } from './deploy'

const deployment = { url: process.env.DEPLOYMENT_URL ?? '', origin }

test('a deployment signs up, signs out and signs in with a password over the API', async () => {
  const client = new Client(deployment)
  const { username } = await signUp(client)
  expect(await expectSignedIn(client)).toMatchObject({ username, hasPassword: true })
  expect([...client.jar.keys()]).toContain('__Host-session')
  expect((await client.post('/api/signout')).status).toBe(204)
  await expectSignedOut(client)
  expectAuthenticationFailed(await signInWithPassword(client, username, 'not the password'))
  expect((await signInWithPassword(client, username)).status).toBe(200)
  expect(await expectSignedIn(client)).toMatchObject({ username })
})

test('a deployment registers a passkey and authenticates with it over the API', async () => {
  const authenticator = new Authenticator(origin)
  const { username } = await signUpWithPasskey(new Client(deployment), authenticator)
  const client = new Client(deployment)
  expect((await authenticate(client, authenticator)).status).toBe(200)
  expect(await expectSignedIn(client)).toMatchObject({ username, hasPassword: false })
})

test('middleware redirects /profile to /signin without a session, and lets a signed-in person see it', async () => {
  const client = new Client(deployment)
  const redirected = await client.get('/profile')
  expect(redirected.status).toBe(307)
  expect(new URL(redirected.headers.location ?? '', origin).href).toBe(`${origin}/signin?next=%2Fprofile`)
  // The page has a redirect of its own; a page that ran would have left this header.
  expect(redirected.headers).not.toHaveProperty('x-matched-path')
  const { username } = await signUp(client)
  const profile = await client.get('/profile')
  expect(profile.status).toBe(200)
  expect(profile.text).toContain(username)
})

test('/signin renders, and every script carries the nonce of its content security policy', async () => {
  const { status, headers, text } = await new Client(deployment).get('/signin')
  expect(status).toBe(200)
  const [, nonce] = /'nonce-([\w+/=]{22,})'/.exec(String(headers['content-security-policy'])) ?? []
  expect(nonce).toBeDefined()
  const scripts = text.match(/<script\b[^>]*>/g) ?? []
  expect(scripts.length).toBeGreaterThan(0)
  for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`)
})

test('a deployment answers 404 for a page and a static file that do not exist', async () => {
  expect((await new Client(deployment).get('/nowhere')).status).toBe(404)
  expect((await new Client(deployment).get('/_next/static/nowhere.js')).status).toBe(404)
})

test('a deployment signs in through the pages in a browser without an error in its console', async ({
  page,
  context,
}) => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await terminateHttps(context)
  const { username } = await signUp(new Client(deployment))
  await open(page, `${origin}/signin`)
  await submitSignIn(page, username)
  await expectProfile(page, username)
  expect(errors).toEqual([])
  // Links may still be prefetched, and an answer to them must not outlive the test.
  await context.unrouteAll({ behavior: 'wait' })
})

/** Answers the browser's https requests from the deployment, which listens on plain HTTP. */
async function terminateHttps(context: BrowserContext) {
  await context.route(`${origin}/**`, async (route) => {
    const { pathname, search, host } = new URL(route.request().url())
    const headers = { ...(await route.request().allHeaders()), host }
    const response = await route.fetch({ url: deployment.url + pathname + search, headers, maxRedirects: 0 })
    await route.fulfill({ response })
  })
}
