import type { Page } from 'playwright/test'
import { signInElsewhere } from '../../support/accounts'
import {
  button,
  expect,
  expectProfile,
  liveStatus,
  open,
  place,
  pressSignOut,
  ready,
  signedIn,
  signedInPages,
  submitSignIn,
  test,
} from '../../support/browser/pages'
import { stepUpOf, storeStepUp } from '../../support/browser/step-up'

test('signing out leads to sign-in, which says so once', async ({ page }) => {
  const username = await signedIn(page)
  await open(page, '/passkeys')
  await page.locator('header summary').click()
  await expect(page.getByText(`Signed in as ${username}`)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText(`Signed in as ${username}`)).toBeHidden()
  await expect(page.locator('header summary')).toBeFocused()
  await pressSignOut(page)
  await page.waitForURL('/signin')
  await expect(liveStatus(page).first()).toHaveText("You're signed out.")
  await expect(page).toHaveTitle("You're signed out. Sign in · Latchkey")
  await page.reload()
  await expect(page).toHaveTitle('Sign in · Latchkey')
  await expect(page.getByText("You're signed out.")).toHaveCount(0)
  await page.goto('/passkeys')
  await expect(page.getByText('Sign in to continue.')).toBeVisible()
  expect(place(page)).toBe('/signin?next=%2Fpasskeys')
})

const sentences = {
  signed_out: "You're signed out.",
  signed_out_everywhere: "You're signed out on all devices.",
  account_deleted: 'Your account has been deleted',
}

test('every signed-in page offers to sign out', async ({ page, server }) => {
  await signInElsewhere(server, await signedIn(page))
  // Without a request, /consent only says that it has expired.
  for (const path of signedInPages.filter((path) => path !== '/consent'))
    expect(await (await page.request.get(path)).text(), path).toContain('>Sign out<')
})

test('the flash message after signing out comes from its cookie, once, and only on pages without `next`', async ({
  page,
  server,
}) => {
  const messagesOf = async (path: string, message: string | null) => {
    const headers = message === null ? {} : { Cookie: `latchkey-ending=${message}` }
    const response = await page.request.get(server.origin + path, { headers })
    const markup = (await response.text()).replaceAll('&#x27;', "'")
    const shown = Object.entries(sentences).flatMap(([one, sentence]) => (markup.includes(sentence) ? [one] : []))
    return { shown, isForgotten: response.headers()['set-cookie']?.includes('latchkey-ending=;') ?? false }
  }
  for (const message of Object.keys(sentences)) {
    for (const path of ['/', '/signin'])
      expect(await messagesOf(path, message), `${path} with ${message}`).toEqual({
        shown: [message],
        isForgotten: true,
      })
    // A page with `next` may be another tab's: the cookie stays for the tab that signed out.
    for (const path of ['/?next=%2Fpasskeys', '/signin?next=%2Fpasskeys', '/signup'])
      expect(await messagesOf(path, message), `${path} with ${message}`).toEqual({ shown: [], isForgotten: false })
  }
  // Anyone can link to an address, and a cookie of another value is not ours.
  for (const path of ['/?ending=signed_out', '/signin?ending=signed_out&ended=account_deleted'])
    expect(await messagesOf(path, null), path).toEqual({ shown: [], isForgotten: false })
  expect(await messagesOf('/signin', 'anything')).toEqual({ shown: [], isForgotten: false })
})

/**
 * Opens a page that learns what the tab shows: Playwright itself would wait for the tab's next page before it looks.
 *
 * @returns what the tab shows now
 */
async function observe(tab: Page) {
  const observer = await tab.context().newPage()
  await observer.goto('/nowhere')
  await observer.evaluate(() => {
    new BroadcastChannel('shown').onmessage = ({ data }) => {
      window.name = data
    }
  })
  await tab.evaluate(() => {
    const channel = new BroadcastChannel('shown')
    const tell = () => channel.postMessage(document.documentElement.hidden ? 'nothing' : document.body.innerText)
    new MutationObserver(tell).observe(document, { attributes: true, childList: true, subtree: true })
    tell()
  })
  return () => observer.evaluate(() => window.name)
}

test("signing out makes the other tabs leave, and removes every tab's step-up token", async ({ page, context }) => {
  await signedIn(page)
  await open(page, '/profile')
  const others = [await context.newPage(), await context.newPage()] as const
  await open(others[0], '/profile')
  await open(others[1], '/passkeys')
  for (const tab of others) await storeStepUp(tab, (await stepUpOf(page)) ?? '')
  // The pages remove the token themselves: not every browser obeys Clear-Site-Data.
  await page.route('**/api/signout', async (route) => {
    const response = await route.fetch()
    const { 'clear-site-data': _, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
  await pressSignOut(page)
  await page.waitForURL('/signin')
  await expect(page.getByText(sentences.signed_out, { exact: true })).toBeVisible()
  await others[0].waitForURL('/signin?next=%2Fprofile')
  await others[1].waitForURL('/signin?next=%2Fpasskeys')
  for (const tab of [page, ...others]) expect(await stepUpOf(tab)).toBeNull()
})

test('another tab shows nothing private after signing out, even while the next page does not load', async ({
  page,
  context,
}) => {
  const username = await signedIn(page)
  await open(page, '/profile')
  const other = await context.newPage()
  await open(other, '/profile')
  await other.route('**/profile', () => undefined)
  const shown = await observe(other)
  await expect.poll(shown).toContain(username)
  await pressSignOut(page)
  await page.waitForURL('/signin')
  await expect.poll(shown).toContain("You're signed out.")
  expect(await shown()).not.toContain(username)
})

test('after signing out, the browser keeps nothing that pages stored @promise', async ({ page }) => {
  const username = await signedIn(page)
  await open(page, '/profile')
  await button(page, 'Not now').click()
  await pressSignOut(page)
  await page.waitForURL('/signin')
  await ready(page)
  const stored = await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))
  expect(stored).toEqual({})
  await submitSignIn(page, username)
  await expectProfile(page, username)
})

test('the back button does not restore a signed-in page from the back/forward cache @promise', async ({
  playwright,
  launchOptions,
  server,
}) => {
  const ignoreDefaultArgs = ['--disable-back-forward-cache']
  const browser = await playwright.chromium.launch({ ...launchOptions, ignoreDefaultArgs })
  const context = await browser.newContext({ baseURL: server.origin })
  const page = await context.newPage()
  const username = await signedIn(page)
  await open(page, '/profile')
  await page.goto('/passkeys')
  expect((await page.request.post('/api/signout')).status()).toBe(204)
  await page.goBack({ waitUntil: 'commit' })
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByText(username)).toHaveCount(0)
  await browser.close()
})
