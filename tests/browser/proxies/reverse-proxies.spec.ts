import { mergeTests, type Page, type Response } from 'playwright/test'
import { randomName } from '../../support/accounts'
import {
  test as base,
  button,
  expect,
  expectProfile,
  open,
  pressSignOut,
  ready,
  usernameField,
  withoutAutofill,
} from '../../support/browser/pages'
import { needs } from '../../support/machine/needs'
import { identity, identityIn, testBehind } from '../../support/network/proxied-app'
import { expireAccess } from '../../support/tokens/access-tokens'
import { DOMAIN, SIBLINGS } from '../../support/your-app/sibling-apps'
import { APP } from '../../support/your-app/snippets'

const ID = SIBLINGS.APP_ORIGIN
const ADDRESS = `${APP}/page?x=1&y=%2F%3F`

/**
 * The browser finds the domain's hosts at the proxy, and takes its certificate for a good one. Over HTTP, others test Caddy, too.
 */
const test = mergeTests(base, testBehind('nginx')).extend({
  launchOptions: [
    async ({ launchOptions, reverseProxy: { port, certificate } }, use) => {
      const hosts = `--host-resolver-rules=MAP *.${DOMAIN} 127.0.0.1:${port}`
      const trust = `--ignore-certificate-errors-spki-list=${certificate.pin}`
      await use({ ...launchOptions, args: [...(launchOptions.args ?? []), hosts, trust] })
    },
    { scope: 'worker' },
  ],
  faults: async ({ faults }, use) => {
    await use(faults)
    // To Latchkey's pages, the app is foreign.
    const others = faults.filter((fault) => !fault.startsWith(`asked ${APP}/`))
    faults.splice(0, faults.length, ...others)
  },
})

/** The addresses that a navigation went by. */
function addressesOf(answer: Response | null): string[] {
  const addresses: string[] = []
  for (let request = answer?.request() ?? null; request; request = request.redirectedFrom())
    addresses.unshift(request.url())
  return addresses
}

async function signUpAtApp(page: Page) {
  await withoutAutofill(page)
  await page.goto(ADDRESS)
  await ready(page)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.waitForURL('**/signup?*')
  await ready(page)
  const username = randomName()
  await usernameField(page).fill(username)
  await button(page, 'Create account with a passkey').click()
  await page.getByRole('link', { name: `Continue to ${new URL(APP).host}` }).click()
  await page.waitForURL(ADDRESS)
  return username
}

// The whole spec: a browser is started with its proxy's port, so before any test could skip itself.
needs('Chromium', 'openssl', 'nginx')

test('nginx leads a visitor to sign up and in with a passkey and back, without a click once the access cookie has run out, and the app learns who it is @promise', async ({
  page,
  passkeys,
  context,
  server,
  app,
}) => {
  const before = app.seen.length
  const signIn = await page.goto(ADDRESS)
  expect(page.url()).toBe(`${ID}/signin?${new URLSearchParams({ next: ADDRESS })}`)
  // As Latchkey sends it.
  expect(await signIn?.headerValue('Content-Security-Policy')).toMatch(/script-src 'self' 'nonce-.* 'strict-dynamic'/)
  const username = await signUpAtApp(page)
  expect(await passkeys.credentials()).toMatchObject([{ rpId: new URL(ID).host }])
  await open(page, `${ID}/profile`)
  await expectProfile(page, username)
  const user = await page.evaluate(() => fetch('/api/i', { method: 'POST' }).then((answer) => answer.json()))
  const seen = () => app.seen.slice(before).map((each) => [each.url, identityIn(each)])
  const expected = ['/page?x=1&y=%2F%3F', identity(user, 'passkey')]
  expect(seen()).toEqual([expected])

  await pressSignOut(page)
  await page.waitForURL('**/signin')
  await page.goto(ADDRESS)
  expect(page.url()).toContain(`${ID}/signin?`)
  expect(seen()).toEqual([expected])
  await ready(page)
  await button(page, 'Sign in with a passkey').click()
  await page.waitForURL(ADDRESS)
  expect(seen()).toEqual([expected, expected])

  // Once its access cookie has run out.
  const cookie = (await context.cookies()).find((each) => each.name === '__Secure-access')
  const value = await expireAccess(cookie?.value ?? '', server.secret)
  await context.addCookies([{ ...(cookie as NonNullable<typeof cookie>), value }])
  const answer = await page.goto(ADDRESS)
  expect(addressesOf(answer)).toEqual([ADDRESS, `${ID}/api/access?${new URLSearchParams({ next: ADDRESS })}`, ADDRESS])

  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(`${APP}/save`)
  const { method, body, headers } = app.last()
  expect([method, body]).toEqual(['POST', 'a=b'])
  expect(headers).toContainEqual(['remote-user', username])
})
