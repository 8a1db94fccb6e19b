import type { APIRequestContext, Page } from 'playwright/test'
import {
  changeUsername,
  createRecoveryCodes,
  NEW_PASSWORD,
  PASSWORD,
  randomName,
  register,
  signInWithPassword,
  signUp,
} from '../../support/accounts'
import { dialog, reauthenticationDialog, section, statusMessage } from '../../support/browser/account-pages'
import { holdAnswers } from '../../support/browser/page-requests'
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
import type { Server } from '../../support/server/server'
import { asLaterSession } from '../../support/tokens/tokens'
import { Authenticator } from '../../support/webauthn/authenticator'

const notices = (page: Page) => section(page, 'Was this you?')
const noticed = (page: Page) => notices(page).getByRole('listitem')

/** Creates an account by its API, and signs this browser in to it on the sign-in page. */
async function signedInTo(client: Client, page: Page, server: Server) {
  const account = await signUp(client)
  await asLaterSession(client, server)
  await open(page, '/signin')
  await submitSignIn(page, account.username)
  await page.waitForURL('/profile')
  await expectProfile(page, account.username)
  return account
}

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

test('a notice of a change made elsewhere stays until this browser dismisses it, across signing out and in', async ({
  page,
  client,
  server,
}) => {
  await signedInTo(client, page, server)
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

test('dismissing a notice in one browser dismisses it in no other', async ({
  page,
  client,
  browser,
  baseURL,
  server,
}) => {
  const { username } = await signedInTo(client, page, server)
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

test('a notice of a sign-in from a new browser is shown in the browsers that were there before, not in the new one', async ({
  page,
  client,
  browser,
  baseURL,
  server,
}) => {
  const { username } = await signedInTo(client, page, server)
  await expect(notices(page)).toHaveCount(0)
  const other = await browser.newPage({ baseURL: baseURL ?? '' })
  await signInApart(other.request, username)
  await other.close()
  await open(page, '/profile')
  await expect(noticed(page)).toHaveCount(1)
  await expect(noticed(page)).toContainText(/new browser/)
  await expect(noticed(page)).toContainText('Chrome · Linux')
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
  const { username } = await signedInTo(client, page, server)
  for (let time = 0; time < 7; time += 1) await signInWithPassword(another(), username, 'not the password')
  for (let time = 0; time < 2; time += 1) await signInApart(page.request, username)
  await expect(async () => {
    await open(page, '/profile')
    await expect(noticed(page)).toContainText('7 failed sign-in attempts', { timeout: 500 })
  }).toPass()
  // Nobody got in: a new password is all that it takes.
  await notices(page).getByRole('link', { name: 'No, secure my account' }).click()
  await page.waitForURL('/secure')
  await ready(page)
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
    'What happened',
    '1.Change password',
  ])
})

test('dismissing notices is announced and keeps the place of the keyboard', async ({ page, client, server }) => {
  await signedInTo(client, page, server)
  await rename(client)
  await open(page, '/profile')
  const dismiss = notices(page).getByRole('button', { name: 'Yes, it was me' })
  await dismiss.focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('main').getByRole('status')).toContainText('Noted in this browser.')
  await page.keyboard.press('Tab')
  const focused = page.locator(':focus')
  await expect(focused).toBeVisible()
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
})

test('denying a notice leads through the steps that keep a stranger out, and each is ticked once it is done', async ({
  page,
  client,
  server,
}) => {
  const { username } = await signedInTo(client, page, server)
  expect((await register(client, new Authenticator(server.origin))).status).toBe(201)
  await open(page, '/profile')
  await notices(page).getByRole('link', { name: 'No, secure my account' }).click()
  await page.waitForURL('/secure')
  await ready(page)
  const steps = page.locator('main ol > li > section > h2')
  await expect(steps).toHaveText([
    "1.Remove passkeys you don't recognize",
    '2.Sign out everywhere else',
    '3.Change password',
    '4.Create new codes',
  ])
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Secure your account')
  await expect(page.getByRole('region', { name: 'What happened' })).toContainText('A passkey was added')
  const mainButton = page.locator('main .button-primary')
  await expect(mainButton).toHaveText('I recognize all of these')
  await expect(page.getByRole('heading', { level: 3, name: 'Passkey' })).toBeVisible()
  await page.getByRole('button', { name: 'Remove Passkey' }).click()
  await dialog(page, /^Remove/)
    .getByRole('button', { name: 'Remove' })
    .click()
  await expect(steps).toHaveText(['1.Sign out everywhere else', '2.Change password', '3.Create new codes'])
  await expect(mainButton).toHaveText('Sign out everywhere else')
  await button(page, 'Sign out everywhere else').click()
  await expect(steps.nth(0)).toHaveText('Done:Sign out everywhere else')
  await expect(mainButton).toHaveText('Change')
  expect((await client.post('/api/i')).status).toBe(401)
  await button(page, 'Change password').click()
  await page.locator('input[name="currentPassword"]').fill(PASSWORD)
  await page.locator('input[name="password"]').fill('another sentence that nobody chooses')
  await button(page, 'Save').click()
  await expect(steps.nth(1)).toHaveText('Done:Change password')
  await page.reload()
  await ready(page)
  await expect(steps).toHaveText(['Done:Sign out everywhere else', 'Done:Change password', '3.Create new codes'])
  await button(page, 'Create codes').click()
  // The session is new since the password is.
  await reauthenticationDialog(page).locator('input[name="password"]').fill('another sentence that nobody chooses')
  await page.keyboard.press('Enter')
  await expect(button(page, 'Done')).toBeVisible()
  // The codes would be gone with the page.
  await expect(button(page, 'Continue')).toHaveCount(0)
  await expect(statusMessage(page, 'All steps are done.')).toBeHidden()
  await button(page, 'Done').click()
  await button(page, "I've saved them").click()
  await expect(steps.nth(2)).toHaveText('Done:Create new codes')
  await expect(statusMessage(page, 'All steps are done.')).toBeVisible()
  await expect(page.getByText('A passkey was added')).toHaveCount(0)
  await expect(button(page, 'Create new codes')).toHaveCount(0)
  const held = await holdAnswers(page, '/api/i/notices/dismiss')
  await button(page, 'Continue').click()
  await expect(button(page, 'Continue')).toHaveAttribute('aria-busy', 'true')
  held.release()
  await page.waitForURL('/profile')
  await expectProfile(page, username)
  await expect(notices(page)).toHaveCount(0)
})

test('what was done in another account of the same browser ticks no step', async ({
  page,
  client,
  another,
  server,
}) => {
  await signedInTo(client, page, server)
  await button(page, 'Create codes').click()
  await expect(section(page, 'Recovery codes').getByRole('listitem')).toHaveCount(10)
  await pressSignOut(page)
  await page.waitForURL('/signin')
  await signedInTo(another(), page, server)
  // Without a notice, what was done in the last hour counts.
  await expect(notices(page)).toHaveCount(0)
  await open(page, '/secure')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Security check-up')
  await expect(page).toHaveTitle(/^Security check-up · /)
  const steps = page.locator('main ol > li > section > h2')
  await expect(steps.filter({ hasText: 'Create new codes' })).toHaveCount(1)
  await expect(steps.filter({ hasText: 'Done:' })).toHaveCount(0)
})

test('deleting another account of the same browser brings no notice of what was done here in this one', async ({
  page,
  client,
  another,
  server,
}) => {
  await signedInTo(client, page, server)
  const username = randomName()
  await button(page, 'Change username').click()
  await page.getByLabel('New username').fill(username)
  await button(page, 'Save').click()
  await expectProfile(page, username)
  await pressSignOut(page)
  await page.waitForURL('/signin')
  const other = await signedInTo(another(), page, server)
  await button(page, 'Delete this account').click()
  await page.getByLabel('Your username').fill(other.username)
  await button(page, 'Delete account').click()
  await page.waitForURL('/')
  await open(page, '/signin')
  await submitSignIn(page, username)
  await page.waitForURL('/profile')
  await expectProfile(page, username)
  // The other account made this browser a new one, so the sign-ins may be noticed.
  await expect(page.getByRole('main').getByText('The username was changed')).toHaveCount(0)
})

test('a step that is done is announced and leads to the next, and the last step is announced as the last', async ({
  page,
  client,
  server,
}) => {
  await signedInTo(client, page, server)
  expect((await register(client, new Authenticator(server.origin))).status).toBe(201)
  await open(page, '/secure')
  const steps = page.locator('main ol > li > section > h2')
  const status = page.locator('main').getByRole('status')
  await button(page, 'I recognize all of these').focus()
  await page.keyboard.press('Enter')
  await expect(status).toContainText("Done: Remove passkeys you don't recognize")
  await expect(steps.nth(1)).toBeFocused()
  await button(page, 'Change password').click()
  await page.locator('input[name="currentPassword"]').fill(PASSWORD)
  await page.locator('input[name="password"]').fill(NEW_PASSWORD)
  await button(page, 'Save').click()
  await expect(steps.nth(2)).toHaveText('Done:Change password')
  await expect(status).not.toContainText('All steps are done.')
  await button(page, 'Create codes').click()
  // The session is new since the password is.
  await reauthenticationDialog(page).locator('input[name="password"]').fill(NEW_PASSWORD)
  await page.keyboard.press('Enter')
  // Created, but not saved.
  await expect(section(page, 'Recovery codes')).toContainText('10 left')
  await expect(steps.nth(3)).toHaveText('4.Create new codes')
  await expect(status).not.toContainText('All steps are done.')
  await button(page, 'Done').click()
  await button(page, "I've saved them").click()
  await expect(steps.nth(3)).toHaveText('Done:Create new codes')
  await expect(status).toContainText('All steps are done.')
  await expect(page.locator(':focus')).toHaveText('Your account is secure. All steps are done.')
})

test('removing a passkey on the page that secures the account keeps the place of the keyboard and says so', async ({
  page,
  client,
  server,
}) => {
  await signedInTo(client, page, server)
  for (let count = 0; count < 2; count += 1)
    expect((await register(client, new Authenticator(server.origin))).status).toBe(201)
  await open(page, '/secure')
  for (const left of [1, 0]) {
    await page.getByRole('button', { name: 'Remove Passkey' }).first().click()
    await dialog(page, /^Remove/)
      .getByRole('button', { name: 'Remove' })
      .click()
    await expect(page.getByRole('button', { name: 'Remove Passkey' })).toHaveCount(left)
    await expect(page.locator('#passkey-list')).toBeFocused()
    await expect(statusMessage(page, /^“.+” was removed\.$/)).toBeVisible()
  }
})

test('a sign-up gives no notice on the next device, a later change does', async ({ page, client, server }) => {
  const { username } = await signUp(client)
  await createRecoveryCodes(client)
  await open(page, '/signin?next=/passkeys')
  await submitSignIn(page, username)
  await page.waitForURL('/passkeys')
  await open(page, '/profile')
  await expect(notices(page)).toHaveCount(0)
  await asLaterSession(client, server)
  await createRecoveryCodes(client)
  await open(page, '/profile')
  await expect(noticed(page)).toContainText(['Recovery codes were created'])
})
