import type { Page } from 'playwright/test'
import { randomName } from '../support/accounts'
import {
  alert,
  test as base,
  button,
  expect,
  expectProfile,
  open,
  place,
  signUpWithPasskey,
  usernameField,
  withoutAutofill,
} from '../support/pages'
import { startTlsFront, type TlsFront, withoutOpenssl } from '../support/tls-front'

const [OLD, NEW] = ['old.example', 'new.example']

/** A service that has moved: its passkeys stay bound to the old host. */
const test = base.extend<object, { front: TlsFront }>({
  front: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern.
    async ({}, use) => {
      const front = await startTlsFront([OLD, NEW])
      await use(front)
      front.close()
    },
    { scope: 'worker' },
  ],
  launchOptions: [
    async ({ launchOptions, front }, use) =>
      use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...front.flags] }),
    { scope: 'worker' },
  ],
  server: [
    async ({ startShared, front }, use) => {
      const server = await startShared({ env: { APP_ORIGIN: `https://${OLD},https://${NEW}`, RP_ID: OLD } })
      front.upstream = server.url
      await use(server)
    },
    { scope: 'worker' },
  ],
})

test.skip(withoutOpenssl)
test.beforeEach(async ({ page }) => {
  await withoutAutofill(page)
})
test.afterEach(({ faults, front }) => {
  // Pages of the new origin are no foreign ones here.
  const rest = faults.filter((fault) => !fault.startsWith(`asked https://${NEW}/`))
  faults.length = 0
  front.intercept = () => false
  expect(rest).toEqual([])
})

/** Signs up at the old address and leaves the browser signed out. */
async function passkeyOfOldAddress(page: Page) {
  const username = await signUpWithPasskey(page)
  await page.context().clearCookies()
  return username
}

async function signInAtNewAddress(page: Page) {
  await open(page, `https://${NEW}/signin`)
  await button(page, 'Sign in with a passkey').click()
}

test('a passkey of the old address signs in at the new one', async ({ page, passkeys }) => {
  const username = await passkeyOfOldAddress(page)
  await signInAtNewAddress(page)
  await expectProfile(page, username)
  expect(new URL(page.url()).host).toBe(NEW)
  expect((await passkeys.credentials()).map(({ rpId }) => rpId)).toEqual([OLD])
})
