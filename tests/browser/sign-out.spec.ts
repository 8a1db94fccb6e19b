import type { Page } from 'playwright/test'
import { dialog } from '../support/account-pages'
import { button, expect, expectProfile, open, place, ready, signedIn, submitSignIn, test } from '../support/pages'
import { stepUpOf } from '../support/step-up'

test('signing out on /passkeys leads to sign-in', async ({ page }) => {
  const username = await signedIn(page)
  await open(page, '/passkeys')
  await expect(page.getByText(`Signed in as ${username}`)).toBeVisible()
  await button(page, 'Sign out').click()
  await page.waitForURL('/signin')
  await page.goto('/passkeys')
  expect(place(page)).toBe('/signin?next=%2Fpasskeys')
})

const waysOut: Record<string, (page: Page, username: string) => Promise<void>> = {
  'signing out': (page) => button(page, 'Sign out').click(),
  'signing out everywhere': (page) => button(page, 'Sign out everywhere').click(),
  'deleting the account': async (page, username) => {
    await button(page, 'Delete this account').click()
    await dialog(page, 'Delete this account?').getByLabel('Your username').fill(username)
    await button(page, 'Delete account').click()
  },
}

for (const [name, leave] of Object.entries(waysOut)) {
  test(`${name} makes the other tabs leave, and removes every tab's step-up token`, async ({ page, context }) => {
    const username = await signedIn(page)
    await open(page, '/profile')
    const others = [await context.newPage(), await context.newPage()] as const
    await open(others[0], '/profile')
    await open(others[1], '/passkeys')
    // The pages remove the token themselves: not every browser obeys Clear-Site-Data.
    await page.route(/\/api\/(signout|i\/(signout-everywhere|delete))$/, async (route) => {
      const response = await route.fetch()
      const { 'clear-site-data': _, ...headers } = response.headers()
      await route.fulfill({ response, headers })
    })
    await leave(page, username)
    await page.waitForURL(/\/sign(in|up)$/)
    await others[0].waitForURL('/signin?next=%2Fprofile')
    await others[1].waitForURL('/signin?next=%2Fpasskeys')
    for (const tab of [page, ...others]) expect(await stepUpOf(tab)).toBeNull()
  })
}

test('another tab shows nothing private after signing out, even while the next page does not load', async ({
  page,
  context,
}) => {
  const username = await signedIn(page)
  await open(page, '/profile')
  const other = await context.newPage()
  await open(other, '/profile')
  await other.route('**/profile', () => undefined)
  // Playwright waits for the next page before it looks, so the tab tells another page what it shows.
  const observer = await context.newPage()
  await observer.goto('/nowhere')
  await observer.evaluate(() => {
    new BroadcastChannel('shown').onmessage = ({ data }) => {
      document.title = data
    }
  })
  await other.evaluate(() => {
    const channel = new BroadcastChannel('shown')
    const tell = () => channel.postMessage(document.body.innerText)
    new MutationObserver(tell).observe(document.body, { childList: true, subtree: true })
    tell()
  })
  await expect(observer).toHaveTitle(new RegExp(username))
  await button(page, 'Sign out').click()
  await page.waitForURL('/signin')
  await expect(observer).toHaveTitle(/You signed out in another tab\.$/)
  await expect(observer).not.toHaveTitle(new RegExp(username))
})

test('after signing out, the browser keeps nothing that pages stored', async ({ page }) => {
  const username = await signedIn(page)
  await open(page, '/profile')
  await button(page, 'Not now').click()
  await button(page, 'Sign out').click()
  await page.waitForURL('/signin')
  await ready(page)
  const stored = await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))
  expect(stored).toEqual({})
  await submitSignIn(page, username)
  await expectProfile(page, username)
})
