import type { Page } from 'playwright/test'
import { errorMessage } from '../../support/browser/account-pages'
import { signInAsAdministrator } from '../../support/browser/admin-pages'
import { watchPaths } from '../../support/browser/page-requests'
import {
  button,
  expect,
  expectProfile,
  open,
  place,
  pressSignOut,
  ready,
  signedIn,
  submitSignIn,
  test,
} from '../../support/browser/pages'
import { Client } from '../../support/client'
import type { Server } from '../../support/server/server'

async function sessionCookie(page: Page) {
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'latchkey-session')
  if (!cookie) throw new Error('This browser has no session')
  return cookie
}

/** The page's next question whether its session goes on. */
const nextAsking = (page: Page) => page.waitForEvent('requestfinished', (request) => request.url().endsWith('/api/i'))

/** Opens a page, and waits for what it asks of its own accord: on a busy machine long after it has loaded. */
async function openSettled(page: Page, path: string) {
  const asked = nextAsking(page)
  await open(page, path)
  await asked
}

/** Revokes the browser's session and leaves the unexpired cookie in place. */
async function revoke(page: Page, server: Server) {
  const client = new Client(server)
  client.jar.set('latchkey-session', (await sessionCookie(page)).value)
  expect((await client.post('/api/signout')).status).toBe(204)
}

test('a revoked session is redirected from /passkeys to sign-in without a loop, and pages reveal nothing about the account', async ({
  page,
  server,
}) => {
  const username = await signedIn(page)
  await revoke(page, server)
  const navigations: string[] = []
  page.on('request', (request) => request.isNavigationRequest() && navigations.push(new URL(request.url()).pathname))
  await open(page, '/passkeys')
  await page.waitForLoadState('networkidle')
  expect(navigations).toEqual(['/passkeys', '/signin'])
  expect((await sessionCookie(page)).value).toBeTruthy()
  await expect(page.getByText(username)).toHaveCount(0)
  await expect(page.getByText('Your session has ended. Sign in to continue.')).toBeVisible()
  for (const path of ['/profile', '/passkeys']) {
    const plain = await page.request.get(path, { maxRedirects: 0 })
    expect(plain.status()).toBe(307)
    expect(await plain.text()).not.toContain(username)
    // What Next's router requests.
    const flight = await page.request.get(path, { maxRedirects: 0, headers: { RSC: '1' } })
    expect(flight.status()).toBe(307)
    expect(await flight.text()).not.toContain(username)
  }
  await submitSignIn(page, username)
  await page.waitForURL('/passkeys')
})

test('a page whose session was ended elsewhere says so once, at its top, and goes on with what was typed after signing in', async ({
  page,
  server,
}) => {
  const username = await signedIn(page)
  await open(page, '/profile')
  await button(page, 'Change username').click()
  await page.getByLabel('New username').fill('draft')
  await revoke(page, server)
  await button(page, 'Save').click()
  const banner = page.locator('main [data-tone]')
  await expect(banner).toHaveCount(1)
  await expect(banner).toContainText(/You're signed out\s*What you have typed stays here\. Sign in again/)
  await expect(page.locator(':focus')).toContainText("You're signed out")
  await expect(page.locator('header summary')).toHaveCount(0)
  await expect(page.locator('[inert] input[name="username"]').last()).toHaveValue('draft')
  await page.keyboard.press('Tab')
  const opened = page.context().waitForEvent('page')
  await page.keyboard.press('Enter')
  const tab = await opened
  await tab.waitForURL('/signin?next=%2Fprofile')
  await ready(tab)
  await submitSignIn(tab, username)
  await expectProfile(tab, username)
  await tab.close()
  await setVisibility(page, 'visible')
  await expect(banner).toHaveCount(0)
  await expect(page.getByLabel('New username')).toHaveValue('draft')
  await button(page, 'Cancel').click()
  await expect(button(page, 'Change username')).toBeFocused()
})

test('a sign-out that fails stays on the page and says that the session continues, and one of an ended session leads to sign-in', async ({
  page,
  server,
  faults,
}) => {
  const username = await signedIn(page)
  await open(page, '/profile')
  await page.route('**/api/signout', (route) => route.fulfill({ status: 503, json: { code: 'unavailable' } }))
  await pressSignOut(page)
  await expect(errorMessage(page, "You're still signed in")).toBeVisible()
  await expectProfile(page, username)
  await page.unroute('**/api/signout')
  await revoke(page, server)
  await button(page, 'Sign out').click()
  await page.waitForURL('/signin')
  expect(faults.splice(0)).toEqual([expect.stringContaining('503')])
})

test('a page that was left open leaves when its session expires', async ({ page }) => {
  const hour = 3_600_000
  await page.clock.install()
  await signedIn(page)
  await open(page, '/profile')
  // As browsers do with a cookie that has expired.
  await page.context().clearCookies()
  await page.clock.fastForward(167 * hour)
  expect(place(page)).toBe('/profile')
  await page.clock.fastForward(2 * hour)
  await page.waitForURL('/signin?next=%2Fprofile')
})

/** Headless browsers show every tab, so this says in their place that it is shown or hidden. */
const setVisibility = (page: Page, visibility: 'visible' | 'hidden') =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, visibility)

test('/passkeys goes to sign-in once its tab is visible again after its session has ended on another device', async ({
  page,
  server,
}) => {
  const username = await signedIn(page)
  await openSettled(page, '/passkeys')
  const asked = watchPaths(page)
  await setVisibility(page, 'hidden')
  await revoke(page, server)
  await setVisibility(page, 'hidden')
  expect(asked).toEqual([])
  expect(place(page)).toBe('/passkeys')
  await setVisibility(page, 'visible')
  await page.waitForURL(`/signin?${new URLSearchParams({ next: '/passkeys' })}`)
  expect(asked.filter((asking) => asking === '/api/i')).toHaveLength(1)
  await expect(page.getByText(username)).toHaveCount(0)
  await expect(page.getByText('Your session has ended. Sign in to continue.')).toBeVisible()
})

test("an operators' page leads to sign-in after its session has ended on another device, and stays for what was typed or chosen", async ({
  page,
  passkeys: _,
  server,
}) => {
  await signInAsAdministrator(page, server)
  const endSession = async () => {
    await setVisibility(page, 'hidden')
    await revoke(page, server)
    await setVisibility(page, 'visible')
  }
  const signInAgain = async () => {
    await button(page, 'Sign in with a passkey').click()
    await page.waitForURL('/profile')
  }
  await openSettled(page, '/admin/apps?add=Actual')
  await page.getByLabel('Address of Actual').fill('budget.example.com')
  await endSession()
  await expect(page.getByRole('link', { name: 'Sign in' })).toHaveAttribute('target', '_blank')
  await expect(page.locator('[inert] input[name="address"]')).toHaveValue('budget.example.com')
  await open(page, '/signin')
  await signInAgain()
  await openSettled(page, '/admin/invitations?invite')
  await page.getByLabel('Good for').selectOption('30 days')
  await endSession()
  await expect(page.getByRole('heading', { name: "You're signed out" })).toBeVisible()
  await open(page, '/signin')
  await signInAgain()
  await openSettled(page, '/admin/invitations?invite')
  await endSession()
  await page.waitForURL(`/signin?${new URLSearchParams({ next: '/admin/invitations?invite' })}`)
})

test('/profile shows the other account when it is looked at after another tab has signed in to that', async ({
  page,
}) => {
  const username = await signedIn(page)
  await openSettled(page, '/profile')
  await setVisibility(page, 'hidden')
  const other = await signedIn(page)
  await setVisibility(page, 'visible')
  await expect(page.getByRole('banner').getByText(other).first()).toBeAttached()
  await expect(page.getByText(username)).toHaveCount(0)
  expect(place(page)).toBe('/profile')
})

test('a tab that is visible again stays while its session goes on, and while the server cannot be reached', async ({
  page,
  faults,
}) => {
  const username = await signedIn(page)
  await openSettled(page, '/profile')
  const lookAgain = async () => {
    const answered = nextAsking(page)
    await setVisibility(page, 'hidden')
    await setVisibility(page, 'visible')
    return answered
  }
  expect((await (await lookAgain()).response())?.status()).toBe(200)
  await page.route('**/api/i', (route) => route.fulfill({ status: 503, json: { code: 'unavailable' } }))
  await lookAgain()
  // The page would have left by the time it has answered this.
  await button(page, 'Change username').click()
  await expectProfile(page, username)
  expect(faults.splice(0)).toEqual([expect.stringContaining('503')])
})
