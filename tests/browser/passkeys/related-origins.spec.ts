import type { Page } from 'playwright/test'
import { randomName } from '../../support/accounts'
import {
  alert,
  test as base,
  button,
  expect,
  expectProfile,
  expectSignedUp,
  open,
  place,
  usernameField,
  withoutAutofill,
} from '../../support/browser/pages'
import { needs } from '../../support/machine/needs'
import { startTlsFront, type TlsFront } from '../../support/network/tls-front'

const [OLD, NEW] = ['old.example', 'new.example']

/** A service that has moved: its passkeys stay bound to the old host. */
const test = base.extend<object, { front: TlsFront }>({
  front: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern.
    async ({}, use) => {
      const front = await startTlsFront([OLD, NEW])
      await use(front)
      await front.close()
    },
    { scope: 'worker' },
  ],
  launchOptions: [
    async ({ launchOptions, front }, use) =>
      use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...front.flags] }),
    { scope: 'worker' },
  ],
  server: async ({ startShared, front }, use) => {
    const server = await startShared({ env: { APP_ORIGIN: `https://${NEW},https://${OLD}`, RP_ID: OLD } })
    front.upstream = server.url
    await use(server)
  },
})

needs('openssl')
test.beforeEach(async ({ page }) => {
  await withoutAutofill(page)
})
test.afterEach(({ faults, front }) => {
  // Both are the service's own.
  const rest = faults.filter((fault) => !fault.startsWith(`asked https://${OLD}/`))
  faults.length = 0
  front.intercept = () => false
  expect(rest).toEqual([])
})

/** Signs up at an address and leaves the browser signed out. */
async function signUpAt(page: Page, host: string) {
  const username = randomName()
  await open(page, `https://${host}/signup`)
  await usernameField(page).fill(username)
  await button(page, 'Create account with a passkey').click()
  await expectSignedUp(page, username)
  await page.context().clearCookies()
  return username
}

async function signInAt(page: Page, host: string) {
  await open(page, `https://${host}/signin`)
  await button(page, 'Sign in with a passkey').click()
}

test('after a move, a passkey made at the old or the new address signs in at the other', async ({ page, passkeys }) => {
  for (const [made, used] of [
    [OLD, NEW],
    [NEW, OLD],
  ] as const) {
    const username = await signUpAt(page, made)
    expect((await passkeys.credentials()).map(({ rpId }) => rpId)).toEqual([OLD])
    await signInAt(page, used)
    await expectProfile(page, username)
    expect(new URL(page.url()).host).toBe(used)
    await page.context().clearCookies()
    await passkeys.deleteOnDevice()
  }
})

test('a passkey does not sign in at the new address when the file of the old one does not list it', async ({
  page,
  passkeys,
  front,
}) => {
  const username = await signUpAt(page, OLD)
  front.intercept = ({ url, headers }, response) => {
    const isFile = url === '/.well-known/webauthn' && headers.host === OLD
    const origins = ['https://newer.example', 'https://news.example']
    if (isFile) response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ origins }))
    return isFile
  }
  await signInAt(page, NEW)
  await expect(alert(page)).toContainText("don't work at this address")
  expect(place(page)).toBe('/signin')
  expect(passkeys.events.seen.map(({ type }) => type)).not.toContain('deleted')

  // The passkey itself is as good as before.
  await signInAt(page, OLD)
  await expectProfile(page, username)
})
