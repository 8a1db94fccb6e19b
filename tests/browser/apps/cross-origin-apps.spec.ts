import { createServer } from 'node:http'
import type { Page } from 'playwright/test'
import { test as base, expect, open, place, signedIn, signedOut, submitSignIn } from '../../support/browser/pages'
import { listenLocally } from '../../support/network/listen-locally'
import { verifyWithJose } from '../../support/tokens/access-tokens'

interface Apps {
  /** The origin of an app in CLIENT_ORIGINS. */
  listed: string
  /** The origin of an app that is not. */
  unlisted: string
}

/** The shared server has an app at another origin of its site, and a stranger at a third. */
const test = base.extend<{ apps: Apps }>({
  apps: async ({ keep }, use) => {
    const apps = await keep('apps', async (onEnd) => {
      const startApp = async () => {
        const { port, close } = await listenLocally(
          createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<title>App</title>')),
        )
        onEnd(close)
        return `http://localhost:${port}`
      }
      return { listed: await startApp(), unlisted: await startApp() }
    })
    await use(apps)
  },
  server: async ({ startShared, apps }, use) =>
    use(await startShared({ env: { CLIENT_ORIGINS: apps.listed, RATE_LIMIT_ADDRESS_MAX: '100000' } })),
})

/** What a page's script gets of a call to Latchkey with cookies: status and body, or the name of the error. */
const call = (page: Page, address: string) =>
  page.evaluate(
    (url) =>
      fetch(url, {
        method: 'POST',
        credentials: 'include',
        headers: { 'Content-Type': 'application/json' },
        body: '{}',
      })
        .then(async (answer) => ({ status: answer.status, body: answer.status === 204 ? null : await answer.json() }))
        .catch((error: Error) => ({ status: error.name, body: null })),
    address,
  )

test("an app's page sends a person to sign in and back, learns who they are, and signs them out @promise", async ({
  page,
  server,
  apps,
  faults,
}) => {
  const username = await signedOut(page)
  const address = `${apps.listed}/inbox?a=b#c`
  await page.goto(address)
  expect(await call(page, `${server.origin}/api/i`)).toMatchObject({ status: 401, body: { code: 'not_signed_in' } })

  await open(page, `/signin?${new URLSearchParams({ next: address })}`)
  await submitSignIn(page, username)
  await page.waitForURL(address)
  expect(await call(page, `${server.origin}/api/i`)).toMatchObject({ status: 200, body: { username } })
  const { body } = await call(page, `${server.origin}/api/token`)
  expect((await verifyWithJose(server, body.token, apps.listed)).preferred_username).toBe(username)
  expect((await call(page, `${server.origin}/api/i/events`)).status).toBe('TypeError')

  // A signed-in person is sent on at once.
  await page.goto(`/signin?${new URLSearchParams({ next: address })}`)
  expect(page.url()).toBe(address)
  expect(await call(page, `${server.origin}/api/signout`)).toMatchObject({ status: 204 })
  expect((await call(page, `${server.origin}/api/i`)).status).toBe(401)
  // Chromium reports the call that CORS forbids, and what the app's pages ask is foreign to ours.
  const expected = [
    `asked ${apps.listed}/`,
    `asked ${server.origin}/`,
    'error: Access to fetch',
    'error: Failed to load',
  ]
  expect(faults.filter((fault) => !expected.some((known) => fault.startsWith(known)))).toEqual([])
  faults.length = 0
})

test('a page outside CLIENT_ORIGINS learns nothing, and no sign-in leads there', async ({
  page,
  server,
  apps,
  faults,
}) => {
  await signedIn(page)
  await page.goto(apps.unlisted)
  for (const path of ['/api/i', '/api/token', '/api/signout'])
    expect(await call(page, server.origin + path)).toEqual({ status: 'TypeError', body: null })
  for (const form of ['/signin', '/signup']) {
    await page.goto(`${form}?${new URLSearchParams({ next: `${apps.unlisted}/` })}`)
    expect(place(page)).toBe('/profile')
  }
  faults.length = 0
})
