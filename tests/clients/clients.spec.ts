import { randomBytes } from 'node:crypto'
import { expect, expectBound, newPerson, refresh, runApp, signIn, signOut, test } from './apps'
import { nextWords } from './install'

test('openid-client 6 signs somebody in, refreshes, revokes and signs out', async ({ page, server, register }) => {
  const [app, person] = await Promise.all([register(), newPerson(page, server)])
  await runApp(app, 'openid-client.mjs')
  await signIn(page, app, person)
  await expectBound(page, person)
  await refresh(page, person)
  await signOut(page, app)
})

test('next-auth 4, in the app of docs/your-app.md, signs somebody in and out', async ({ page, server, register }) => {
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
