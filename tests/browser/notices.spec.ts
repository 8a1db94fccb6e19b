import type { APIRequestContext, Page } from 'playwright/test'
import { section } from '../support/account-pages'
import { createRecoveryCodes, PASSWORD, randomName, signInWithPassword, signUp } from '../support/accounts'
import type { Client } from '../support/client'
import { button, expect, expectProfile, open, pressSignOut, submitSignIn, test } from '../support/pages'

const notices = (page: Page) => section(page, 'Was this you?')
const noticed = (page: Page) => notices(page).getByRole('listitem')

/** Creates an account by its API, and signs this browser in to it on the sign-in page. */
async function signedInTo(client: Client, page: Page) {
  const account = await signUp(client)
  await open(page, '/signin')
  await submitSignIn(page, account.username)
  await page.waitForURL('/profile')
  await expectProfile(page, account.username)
  return account
}

async function rename(client: Client) {
  const username = randomName()
  expect((await client.post('/api/i/username', { username })).status).toBe(200)
  return username
}

/** Signs in without the page, so that the browser does not know of it. */
async function signInApart(request: APIRequestContext, username: string) {
  const answer = await request.post('/api/signin', { data: { username, password: PASSWORD } })
  expect(answer.status()).toBe(200)
}

test("a notice of somebody else's change stays until this browser dismisses it, across signing out and in", async ({
  page,
  client,
}) => {
  await signedInTo(client, page)
  const username = await rename(client)
  await open(page, '/profile')
  await expect(noticed(page)).toHaveCount(1)
  await expect(noticed(page)).toContainText('The username was changed')
  await notices(page).getByRole('button', { name: 'No, secure my account' }).click()
  await expect(notices(page).getByRole('link')).toHaveText([
    'Change password',
    "Remove passkeys you don't recognize",
    'Create new codes',
    'Sign out everywhere else',
  ])
  await page.reload()

  // Whoever has the session dismisses it elsewhere, and signs in again.
  await pressSignOut(page)
  await page.waitForURL('/signin')
  await open(page, '/signin')
  await submitSignIn(page, username)
  await page.waitForURL('/profile')
  await expectProfile(page, username)
  await expect(noticed(page)).toHaveCount(1)

  await notices(page).getByRole('button', { name: 'Yes, it was me' }).click()
  await expect(notices(page)).toHaveCount(0)
  await open(page, '/profile')
  await expect(notices(page)).toHaveCount(0)
  await pressSignOut(page)
  await page.waitForURL('/signin')
  await submitSignIn(page, username)
  await page.waitForURL('/profile')
  await expectProfile(page, username)
  await expect(notices(page)).toHaveCount(0)

  await rename(client)
  await open(page, '/profile')
  await expect(noticed(page)).toHaveCount(1)
})

test('dismissing a notice in one browser dismisses it in no other', async ({ page, client, browser, baseURL }) => {
  const { username } = await signedInTo(client, page)
  const renamed = await rename(client)
  const attacker = await browser.newPage({ baseURL: baseURL ?? '' })
  await signInApart(attacker.request, renamed)
  await open(attacker, '/profile')
  await notices(attacker).getByRole('button', { name: 'Yes, it was me' }).click()
  await expect(notices(attacker)).toHaveCount(0)
  await attacker.close()
  await open(page, '/profile')
  await expect(noticed(page)).toContainText([/new browser/, /username was changed/])
  expect(username).not.toBe(renamed)
})

test('a sign-in from a new browser is told in the browsers that were there before, not in the new one', async ({
  page,
  client,
  browser,
  baseURL,
}) => {
  const { username } = await signedInTo(client, page)
  await expect(notices(page)).toHaveCount(0)
  const other = await browser.newPage({ baseURL: baseURL ?? '' })
  await signInApart(other.request, username)
  await other.close()
  await open(page, '/profile')
  await expect(noticed(page)).toHaveCount(1)
  await expect(noticed(page)).toContainText(/new browser/)
  await expect(noticed(page)).toContainText('Chrome · Linux')
})

test('what a browser did itself is not told in it, what somebody else did in the same minute is', async ({
  page,
  client,
}) => {
  await signUp(client)
  const cookies = [...client.jar].map(([name, value]) => ({ name, value, url: client.server.origin }))
  await page.context().addCookies(cookies)
  await page.setExtraHTTPHeaders({ 'Latchkey-Step-Up': client.stepUp ?? '' })
  await open(page, '/profile')
  const name = randomName()
  await page.getByRole('button', { name: 'Change username' }).click()
  await page.getByLabel('New username').fill(name)
  await button(page, 'Save').click()
  await expectProfile(page, name)
  await expect(notices(page)).toHaveCount(0)
  await createRecoveryCodes(client)
  await open(page, '/profile')
  await expect(noticed(page)).toHaveText([/^Recovery codes were created/])
})

test('failed attempts are told until dismissed, however often somebody signs in meanwhile', async ({
  page,
  client,
  another,
}) => {
  const { username } = await signedInTo(client, page)
  for (let time = 0; time < 7; time += 1) await signInWithPassword(another(), username, 'not the password')
  for (let time = 0; time < 2; time += 1) await signInApart(page.request, username)
  await expect(async () => {
    await open(page, '/profile')
    await expect(noticed(page)).toContainText('7 failed sign-in attempts', { timeout: 500 })
  }).toPass()
  await notices(page).getByRole('button', { name: 'No, secure my account' }).click()
  await expect(notices(page).getByRole('button')).toHaveText(['Done'])
  await notices(page).getByRole('link').click()
  await expect(page.getByLabel('Current password', { exact: true })).toBeFocused()
  await notices(page).getByRole('button', { name: 'Done' }).click()
  await open(page, '/profile')
  await expect(notices(page)).toHaveCount(0)
})

test('dismissing notices is announced and keeps the place of the keyboard', async ({ page, client }) => {
  await signedInTo(client, page)
  await rename(client)
  await open(page, '/profile')
  const dismiss = notices(page).getByRole('button', { name: 'Yes, it was me' })
  await dismiss.focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('main').getByRole('status')).toContainText('Notices dismissed.')
  await page.keyboard.press('Tab')
  const focused = page.locator(':focus')
  await expect(focused).toBeVisible()
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
})
