import { createServer, type IncomingMessage } from 'node:http'
import { randomName } from '../../support/accounts'
import { test as base, button, expect, place, ready, usernameField } from '../../support/browser/pages'
import { listenLocally } from '../../support/network/listen-locally'
import { startService } from '../../support/your-app/example-services'
import { LATCHKEY, readSnippet } from '../../support/your-app/snippets'

/**
 * The shared server and the app of docs/your-app/access-tokens.md at another origin of its site: the page, and the service behind
 * it.
 */
const test = base.extend<{ app: string; pages: { origin: string; latchkey: string; api: string } }>({
  pages: async ({ keep }, use) => {
    const pages = await keep('pages', async (onEnd) => {
      const pages = { origin: '', latchkey: '', api: '' }
      const answer = async ({ url = '', headers }: IncomingMessage) => {
        if (url.startsWith('/api/')) {
          const response = await fetch(pages.api + url, { headers: { Authorization: headers.authorization ?? '' } })
          return { status: response.status, type: 'application/json', text: await response.text() }
        }
        if (url === '/page.mjs')
          return { status: 200, type: 'text/javascript', text: readSnippet('page.mjs', { [LATCHKEY]: pages.latchkey }) }
        return { status: 200, type: 'text/html', text: readSnippet('page.html') }
      }
      const server = createServer(async (request, response) => {
        const { status, type, text } = await answer(request)
        response.writeHead(status, { 'Content-Type': type }).end(text)
      })
      const { port, close } = await listenLocally(server)
      pages.origin = `http://localhost:${port}`
      onEnd(close)
      return pages
    })
    await use(pages)
  },
  server: async ({ startShared, pages }, use) => use(await startShared({ env: { CLIENT_ORIGINS: pages.origin } })),
  app: async ({ server, pages, keep }, use) => {
    const app = await keep('app', async (onEnd) => {
      const service = await startService('api.mjs', { latchkey: server.origin, app: pages.origin })
      onEnd(() => service.stop())
      Object.assign(pages, { latchkey: server.origin, api: service.url })
      return pages.origin
    })
    await use(app)
  },
})

test('the page in docs/your-app/access-tokens.md signs a person up with a passkey, calls its own API for them, and signs them out @promise', async ({
  page,
  passkeys,
  app,
  server,
  faults,
}) => {
  const username = randomName()
  const address = `${app}/notes?a=b`
  await page.goto(address)
  await expect(page.getByText('Not signed in')).toBeVisible()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.waitForURL((url) => url.pathname === '/signin')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.waitForURL((url) => url.pathname === '/signup')
  await ready(page)
  await usernameField(page).fill(username)
  await button(page, 'Create account with a passkey').click()
  await page.getByRole('link', { name: `Continue to ${new URL(app).host}` }).click()
  await page.waitForURL(address)
  await expect(page.getByText(`Signed in as ${username}`)).toBeVisible()
  expect(await passkeys.credentials()).toHaveLength(1)

  await button(page, 'Sign out').click()
  await expect(page.getByText('Not signed in')).toBeVisible()
  await page.goto('/profile')
  expect(place(page)).toBe('/signin?next=%2Fprofile')
  // The app is another origin than the server under test.
  const expected = [`asked ${app}/`, `asked ${server.origin}/`]
  expect(faults.filter((fault) => !expected.some((known) => fault.startsWith(known)))).toEqual([])
  faults.length = 0
})
