import type { APIRequestContext } from 'playwright/test'
import { type DevelopedApp, expect, tarball, test } from './app'

/** What every framework does for a browser, and for a program. */
async function walk(app: DevelopedApp, request: APIRequestContext) {
  const get = (path: string, headers: Record<string, string> = {}) =>
    request.get(app.origin + path, { maxRedirects: 0, headers: { Accept: 'text/html', ...headers } })
  expect(await (await get('/')).text()).toContain('Sign in')
  const page = await get('/notes?page=2')
  // Next has sent the head of a page already, and redirects by its script.
  const leads = page.status() === 303 ? page.headers().location : await page.text()
  expect(leads).toContain('/auth/sign-in?next=%2Fnotes%3Fpage%3D2')
  const call = await get('/api/notes')
  expect([call.status(), await call.json()]).toEqual([401, { error: 'not_signed_in' }])
  expect((await get('/auth/sign-in', { 'Sec-Purpose': 'prefetch' })).status()).toBe(204)
  expect((await get('/auth/sign-out')).status()).toBe(405)

  // As `curl -sL -c jar -b jar` does.
  const arrived = await request.get(app.as('ada', '/auth/sign-in?next=/notes'), { headers: { Accept: '*/*' } })
  expect([arrived.status(), arrived.url()]).toEqual([200, `${app.origin}/notes`])
  expect(await arrived.text()).toMatch(/Notes of/)
  const { user } = await (await get('/auth/me')).json()
  expect(user).toMatchObject({ username: 'ada', name: 'Ada Lovelace', email: 'ada@example.com', groups: ['family'] })
  expect(await (await get('/api/notes')).json()).toEqual({ owner: user.id })
  expect(await (await get('/family')).text()).toContain('The family of')

  const elsewhere = { Origin: 'http://localhost:1', 'Sec-Fetch-Site': 'same-site' }
  expect((await request.post(`${app.origin}/auth/sign-out`, { maxRedirects: 0, headers: elsewhere })).status()).toBe(
    403,
  )
  const out = await request.post(`${app.origin}/auth/sign-out`, { headers: { Origin: app.origin } })
  expect(out.url()).toBe(`${app.origin}/`)
  expect(await (await get('/auth/me')).json()).toEqual({ user: null })
  // Latchkey's session has ended, too: whoever signs in again is asked who they are.
  const again = await request.get(`${app.origin}/auth/sign-in`)
  expect(new URL(again.url()).pathname).toBe('/signin')

  expect(await (await request.get(app.as('ben', '/auth/sign-in?next=/notes'))).text()).toMatch(/Notes of.*ben/is)
  const refused = await get('/family')
  expect(await refused.text()).not.toContain('The family of')
  if (refused.status() !== 403) expect(await refused.text()).toContain('/auth/forbidden')
  const page403 = refused.status() === 403 ? refused : await get('/auth/forbidden')
  expect([page403.status(), (await page403.text()).includes('may not open this page')]).toEqual([403, true])
}

test('a fresh app of Express 5 signs people in by the documented commands', async ({ app, request }) => {
  app.write('package.json', JSON.stringify({ name: 'notes', private: true, type: 'module' }))
  app.install('express@5', tarball)
  const entries = ['web', 'express', 'hono', 'api', 'testing'].map((entry) => `require('latchkey-kit/${entry}')`)
  app.run(process.execPath, '-e', entries.join('\n'))
  app.init()
  app.copy('express.js', 'index.js')
  await app.startLatchkey()
  await app.start(app.port, ['index.js'], { PORT: `${app.port}` })
  await walk(app, request)
})

test('a fresh app of Hono 4 signs people in by the documented commands', async ({ app, request }) => {
  app.write('package.json', JSON.stringify({ name: 'notes', private: true, type: 'module' }))
  app.install('hono@4', '@hono/node-server@2', tarball)
  app.init()
  app.copy('hono.js', 'index.js')
  await app.startLatchkey()
  await app.start(app.port, ['index.js'], { PORT: `${app.port}` })
  await walk(app, request)
})

test('a fresh app of Next 16 builds without settings and signs people in by the documented commands, also in Actions and by its router', async ({
  app,
  page,
  request,
}) => {
  app.run(
    'npx',
    '--yes',
    'create-next-app@16',
    '.',
    '--empty',
    '--ts',
    '--app',
    '--no-eslint',
    '--no-tailwind',
    '--no-src-dir',
    '--import-alias',
    '@/*',
    '--skip-install',
    '--disable-git',
    '--yes',
  )
  app.install(tarball)
  app.init()
  const [auth, route] = ['auth.ts', 'app/auth/[...latchkey]/route.ts'].map((path) => app.read(path))
  // The documents show what `init` has written.
  app.copy('next', '.')
  expect(['auth.ts', 'app/auth/[...latchkey]/route.ts'].map((path) => app.read(path))).toEqual([auth, route])
  app.run(process.execPath, '-e', "require('latchkey-kit/next')")
  app.withoutSettings(() => app.run('npx', 'next', 'build'))
  await app.startLatchkey()
  await app.start(app.port, ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', `${app.port}`])
  await walk(app, request)

  // By Next's router, which fetches pages in its own form.
  await page.context().clearCookies()
  await page.goto(`${app.origin}/`)
  await page.getByRole('link', { name: 'notes' }).click()
  await page.waitForURL((url) => url.pathname === '/signin')
  await page.goto(app.as('ada', '/notes'))
  const add = async (text: string) => {
    await page.getByLabel('Note').fill(text)
    await page.getByRole('button', { name: 'Add' }).click()
  }
  await add('Milk')
  await expect(page.getByText('Milk')).toBeVisible()
  // The session ends while the page is open: the Action leads to the sign-in, and back to the page.
  const cookies = await page.context().cookies(app.origin)
  const session = cookies.find(({ name }) => /^latchkey-app-[\da-f]{8}$/.test(name))
  await page.context().clearCookies({ name: session?.name ?? '' })
  const signedIn = page.waitForResponse((response) => new URL(response.url()).pathname === '/auth/callback')
  await add('Bread')
  await signedIn
  await expect(page.getByText('Milk')).toBeVisible()
  await expect(page.getByText('Bread')).toBeHidden()
  expect(new URL(page.url()).pathname).toBe('/notes')
})
