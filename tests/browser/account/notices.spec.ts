import type { APIRequestContext, Page } from 'playwright/test'
import {
  changeUsername,
  createRecoveryCodes,
  PASSWORD,
  randomName,
  signInWithPassword,
  signUp,
} from '../../support/accounts'
import { notices, section, signInTo, statusMessage } from '../../support/browser/account-pages'
import {
  button,
  expect,
  expectProfile,
  open,
  pressSignOut,
  ready,
  submitSignIn,
  test,
} from '../../support/browser/pages'
import type { Client } from '../../support/client'
import { asLaterSession } from '../../support/tokens/tokens'

const noticed = (page: Page) => notices(page).getByRole('listitem')

async function rename(client: Client) {
  const username = randomName()
  expect((await changeUsername(client, username)).status).toBe(200)
  return username
}

/** Signs in without the page, so that the browser does not know of it. */
async function signInApart(request: APIRequestContext, username: string) {
  const answer = await request.post('/api/signin', { data: { username, password: PASSWORD } })
  expect(answer.status()).toBe(200)
}

test('a notice of a change made elsewhere stays until this browser dismisses it, across signing out and in @promise', async ({
  page,
  client,
  server,
}) => {
  await signInTo(client, page, server)
  const username = await rename(client)
  await open(page, '/profile')
  await expect(noticed(page)).toHaveCount(1)
  await expect(noticed(page)).toContainText('The username was changed')
  // Whoever has the session dismisses it elsewhere, and signs in again.
  await pressSignOut(page)
  await page.waitForURL('/signin')
  await open(page, '/signin')
  await submitSignIn(page, username)
  await page.waitForURL('/profile')
  await expectProfile(page, username)
  await expect(noticed(page)).toHaveCount(1)
  await expect(section(page, 'Save recovery codes')).toBeHidden()

  await notices(page).getByRole('button', { name: 'Yes, it was me' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('main').getByRole('status')).toContainText('Noted in this browser.')
  await expect(statusMessage(page, 'Noted in this browser.')).toBeVisible()
  await expect(notices(page)).toHaveCount(0)
  await expect(section(page, 'Save recovery codes')).toBeVisible()
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

test('a browser shows no notice of what it did itself, but one of what another did in the same minute', async ({
  page,
  client,
  server,
}) => {
  await signUp(client)
  await asLaterSession(client, server)
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

test('failed attempts are shown until dismissed, however often the person signs in meanwhile', async ({
  page,
  client,
  another,
  server,
}) => {
  const { username } = await signInTo(client, page, server)
  for (let time = 0; time < 7; time += 1) await signInWithPassword(another(), username, 'not the password')
  for (let time = 0; time < 2; time += 1) await signInApart(page.request, username)
  const attempts = section(page, 'Somebody tried, and nobody got in')
  await expect(async () => {
    await open(page, '/profile')
    await expect(attempts.getByRole('listitem')).toContainText('7 failed sign-in attempts', { timeout: 500 })
  }).toPass()
  // That is no question; a new password is all that could help.
  await expect(notices(page)).toHaveCount(0)
  await attempts.getByRole('link', { name: 'Secure my account' }).click()
  await page.waitForURL('/secure')
  await ready(page)
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText(['What happened', '1.Password'])
  await button(page, 'Leave it as it is').click()
  await expect(statusMessage(page, 'Your account is secure.')).toBeVisible()
  await button(page, 'Go to your profile').click()
  await page.waitForURL('/profile')
  await expect(attempts).toHaveCount(0)
})
