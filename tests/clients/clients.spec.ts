import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { ready, submitSignIn } from '../support/browser/pages'
import { needs } from '../support/machine/needs'
import { debianPython } from '../support/machine/python'
import { accountsJson } from '../support/operator/accounts-command'
import { expect, expectBound, newPerson, refresh, runApp, signIn, signOut, test, throughLatchkey } from './apps'
import { runExpressApp, serveBrowserApp } from './documented-apps'
import { nextWords } from './install'
import { runApache } from './programs'

test('openid-client 6 signs somebody in, refreshes, revokes and signs out', async ({ page, server, register }) => {
  const [app, person] = await Promise.all([register(), newPerson(page, server)])
  await runApp(app, 'openid-client.mjs')
  await signIn(page, app, person)
  await expectBound(page, person)
  await refresh(page, person)
  await signOut(page, app)
})

test('openid-client 6, in the Express app of docs/your-app/openid-connect.md, signs somebody in with another session id, and out', async ({
  page,
  server,
  register,
}) => {
  const [app, person] = await Promise.all([register({ signedOut: '/' }), newPerson(page, server)])
  await runExpressApp(app, server.origin)
  const sessionId = async () => {
    const cookies = await page.context().cookies(app.origin)
    return cookies.find(({ name }) => name === 'app')?.value ?? ''
  }
  await page.request.get(`${app.origin}/sign-in`, { maxRedirects: 0 })
  const planted = await sessionId()
  expect(planted).not.toBe('')
  await page.goto(`${app.origin}/callback?error=access_denied`)
  await signIn(page, app, person)
  expect(await sessionId()).not.toBe(planted)
  await signOut(page, app)
})

test('next-auth 4, in the app of docs/your-app/openid-connect.md, signs somebody in and out', async ({
  page,
  server,
  register,
}) => {
  const registration = { callback: '/api/auth/callback/latchkey', signedOut: '' }
  const [app, person] = await Promise.all([register(registration), newPerson(page, server)])
  await app.run(process.execPath, nextWords('start', 'next', '-H', '127.0.0.1', '-p', `${app.port}`), {
    LATCHKEY_URL: server.origin,
    LATCHKEY_ID: app.id,
    LATCHKEY_SECRET: app.secret ?? '',
    NEXTAUTH_URL: app.origin,
    NEXTAUTH_SECRET: randomBytes(32).toString('base64'),
  })
  await signIn(page, app, person)
  const session = await (await page.request.get(`${app.origin}/api/auth/session`)).json()
  expect(session).toMatchObject({ id: person.id })
  await signOut(page, app)
})

test('@auth/core signs somebody in and out', async ({ page, server, register }) => {
  const [app, person] = await Promise.all([register({ callback: '/auth/callback/latchkey' }), newPerson(page, server)])
  await runApp(app, 'auth-core.mjs', { AUTH_URL: `${app.origin}/auth` })
  await signIn(page, app, person, ['Sign in', 'Sign in with Latchkey'])
  await expectBound(page, person)
  await signOut(page, app, ['Sign out', 'Sign out'])
})

test('better-auth signs somebody in by their address, refreshes and signs out', async ({ page, server, register }) => {
  const registration = { callback: '/api/auth/callback/latchkey' }
  const [app, person] = await Promise.all([register(registration), newPerson(page, server)])
  await runApp(app, 'better-auth.mjs')
  await signIn(page, app, person)
  await expectBound(page, person)
  await refresh(page, person)
  await signOut(page, app)
})

test('oidc-client-ts, in the browser app of docs/your-app/openid-connect.md, signs somebody in, refreshes before an hour is over and signs out', async ({
  page,
  server,
  register,
}) => {
  const registration = { callback: '/', signedOut: '/', options: ['--public'] }
  const [app, person] = await Promise.all([register(registration), newPerson(page, server)])
  await serveBrowserApp(app, server.origin)
  const answers: string[] = []
  page.on('response', (answer) => answers.push(`${answer.status()} ${answer.request().postData()?.slice(0, 24)}`))
  await page.clock.install()
  await signIn(page, app, person)
  expect(answers).not.toContain('200 grant_type=refresh_token')
  await page.clock.fastForward('59:30')
  await expect.poll(() => answers.join('\n')).toContain('200 grant_type=refresh_token')
  await signOut(page, app)
})

test('Apache with mod_auth_openidc lets members of a group in and nobody else, refreshes and signs out', async ({
  page,
  server,
  register,
}) => {
  needs('Apache with mod_auth_openidc')
  const [app, person] = await Promise.all([
    register({ callback: '/private/callback', signedOut: '/' }),
    newPerson(page, server),
  ])
  await runApache(app)
  await page.goto(`${app.origin}/private/`)
  await throughLatchkey(page, app, person)
  await expect(page.getByRole('heading', { name: 'Unauthorized' })).toBeVisible()
  await page.context().clearCookies()

  await accountsJson(server, 'group', 'add', 'family', person.username)
  await page.goto(`${app.origin}/private/`)
  await page.waitForURL((url) => url.pathname === '/signin')
  await ready(page)
  await submitSignIn(page, person.username)
  // It has forgotten that it signed in before, and says that somebody did.
  await page.getByRole('link', { name: 'Not now' }).click()
  await expectBound(page, person)
  await refresh(page, person)
  await signOut(page, app)
})

test('Authlib signs somebody in, refreshes, revokes and signs out', async ({ page, server, register }) => {
  needs('Authlib')
  const [app, person] = await Promise.all([register(), newPerson(page, server)])
  await app.run(debianPython, [join('apps', 'with_authlib.py')], { AUTHLIB_INSECURE_TRANSPORT: '1' })
  await signIn(page, app, person)
  await expectBound(page, person)
  await refresh(page, person)
  await signOut(page, app)
})
