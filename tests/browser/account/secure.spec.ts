import {
  createRecoveryCodes,
  NEW_PASSWORD,
  PASSWORD,
  register,
  signInWithPassword,
  WRONG_PASSWORD,
} from '../../support/accounts'
import {
  addPasskey,
  answerNotices,
  notices,
  reauthenticationDialog,
  removePasskey,
  section,
  secureSteps,
  signInTo,
  statusMessage,
} from '../../support/browser/account-pages'
import { holdAnswers } from '../../support/browser/page-requests'
import { button, expect, expectProfile, open, ready, signUpWithPasskeyOnPage, test } from '../../support/browser/pages'
import { Client } from '../../support/client'
import { CALLBACK, registerApp } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { executeSql, readSql } from '../../support/storage/sql'
import { Authenticator } from '../../support/webauthn/authenticator'

test('denying a notice leads through the steps that keep a stranger out, and each is ticked once it is done @promise', async ({
  page,
  client,
  server,
}) => {
  const { username } = await signInTo(client, page, server)
  expect((await register(client, new Authenticator(server.origin))).status).toBe(201)
  await new Flow(client, await registerApp(server, CALLBACK)).code()
  await open(page, '/passkeys')
  await expect(page.getByRole('main').getByRole('listitem')).toContainText(/^Passkey\s*New/)
  await open(page, '/profile')
  await notices(page).getByRole('link', { name: 'No, secure my account' }).click()
  await page.waitForURL('/secure')
  await ready(page)
  await expect(secureSteps(page)).toHaveText([
    "1.Remove passkeys you don't recognize",
    '2.Sign out everywhere else',
    '3.Change password',
    "4.Remove apps you don't recognize",
    '5.Recovery codes',
  ])
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Secure your account')
  await expect(page.getByRole('region', { name: 'What happened' })).toContainText('A passkey was added')
  const mainButton = page.locator('main .button-primary')
  // In an alarm, removing is what is offered first, and names do not matter.
  await expect(mainButton).toHaveCount(0)
  const known = button(page, 'I recognize all of these')
  await expect(known).toHaveCount(2)
  // Of the same name, and so told apart by the steps' titles.
  await expect(known.nth(0)).toHaveAccessibleDescription("1. Remove passkeys you don't recognize")
  await expect(known.nth(1)).toHaveAccessibleDescription("4. Remove apps you don't recognize")
  await expect(page.getByRole('button', { name: 'Rename Passkey' })).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 3, name: 'Passkey' })).toBeVisible()
  // What is younger than the notice is marked, with the minute.
  await expect(page.getByRole('button', { name: /^Remove Passkey today, \d\d:\d\d$/ })).toHaveClass(/button-danger/)
  await expect(known.nth(0)).toHaveClass(/button-quiet/)
  await expect(
    page.getByRole('listitem').filter({ hasText: 'Passkey' }).getByText('New', { exact: true }),
  ).toBeVisible()
  await removePasskey(page)
  await expect(secureSteps(page)).toHaveText([
    "Done:Remove passkeys you don't recognize",
    '2.Sign out everywhere else',
    '3.Change password',
    "4.Remove apps you don't recognize",
    '5.Recovery codes',
  ])
  await expect(secureSteps(page).nth(1)).toBeFocused()
  await expect(mainButton).toHaveText('Sign out everywhere else')
  await button(page, 'Sign out everywhere else').click()
  await expect(secureSteps(page).nth(1)).toHaveText('Done:Sign out everywhere else')
  await expect(mainButton).toHaveText('Change')
  expect((await client.post('/api/i')).status).toBe(401)
  await button(page, 'Change password').click()
  await page.locator('input[name="currentPassword"]').fill(PASSWORD)
  await page.locator('input[name="password"]').fill('another sentence that nobody chooses')
  await button(page, 'Save').click()
  await expect(secureSteps(page).nth(2)).toHaveText('Done:Change password')
  await expect(mainButton).toHaveCount(0)
  await page.getByRole('button', { name: 'Remove access' }).click()
  await expect(secureSteps(page).nth(3)).toHaveText("Done:Remove apps you don't recognize")
  await page.reload()
  await ready(page)
  await expect(secureSteps(page)).toHaveText([
    'Done:Sign out everywhere else',
    'Done:Change password',
    '3.Recovery codes',
  ])
  await button(page, 'Create codes').click()
  // The step-up goes on in the new session: nobody is asked twice.
  await expect(reauthenticationDialog(page)).toHaveCount(0)
  await expect(button(page, 'Done')).toBeVisible()
  // The codes would be gone with the page.
  await expect(button(page, 'Go to your profile')).toHaveCount(0)
  await expect(statusMessage(page, 'All steps are done.')).toBeHidden()
  await button(page, 'Done').click()
  await button(page, "I've saved them").click()
  await expect(secureSteps(page).nth(2)).toHaveText('Done:Recovery codes')
  await expect(statusMessage(page, 'All steps are done.')).toBeVisible()
  await expect(page.getByText('A passkey was added')).toHaveCount(0)
  await expect(button(page, 'Create new codes')).toHaveCount(0)
  const held = await holdAnswers(page, '/api/i/notices/dismiss')
  await button(page, 'Go to your profile').click()
  await expect(button(page, 'Go to your profile')).toHaveAttribute('aria-busy', 'true')
  held.release()
  await page.waitForURL('/profile')
  await expectProfile(page, username)
  await expect(notices(page)).toHaveCount(0)
})

test('a step that is done is announced and leads to the next, and the last step is announced as the last', async ({
  page,
  client,
  server,
  passkeys: _,
}) => {
  const { id } = await signInTo(client, page, server)
  expect((await register(client, new Authenticator(server.origin))).status).toBe(201)
  // An addition within two seconds of this browser's own counts as its own.
  const earlier = Date.now() - 120_000
  executeSql(
    server.databaseUrl,
    `UPDATE "Event" SET "at" = ${earlier} WHERE "userId" = '${id}' AND "type" = 'passkey_added';
     UPDATE "Passkey" SET "createdAt" = '${new Date(earlier).toISOString()}' WHERE "userId" = '${id}'`,
  )
  await open(page, '/passkeys')
  await addPasskey(page)
  await open(page, '/secure')
  // The owner's is no stranger's, though it is younger than what happened.
  await expect(page.getByRole('listitem').filter({ hasText: 'New' })).toContainText(['Passkey'])
  const status = page.locator('main').getByRole('status')
  await button(page, 'I recognize all of these').focus()
  await page.keyboard.press('Enter')
  await expect(status).toContainText("Done: Remove passkeys you don't recognize")
  await expect(secureSteps(page).nth(1)).toBeFocused()
  await button(page, 'Change password').click()
  await page.locator('input[name="currentPassword"]').fill(PASSWORD)
  await page.locator('input[name="password"]').fill(NEW_PASSWORD)
  await button(page, 'Save').click()
  await expect(secureSteps(page).nth(2)).toHaveText('Done:Change password')
  await expect(status).not.toContainText('All steps are done.')
  await button(page, 'Create codes').click()
  // Created, but not saved.
  await expect(section(page, 'Recovery codes')).toContainText('10 left')
  await expect(secureSteps(page).nth(3)).toHaveText('4.Recovery codes')
  await expect(status).not.toContainText('All steps are done.')
  await button(page, 'Done').click()
  await button(page, "I've saved them").click()
  await expect(secureSteps(page).nth(3)).toHaveText('Done:Recovery codes')
  await expect(status).toContainText('All steps are done.')
  await expect(page.locator(':focus')).toHaveText('Your account is secure. All steps are done.')
})

test('after attempts alone, an account without a password is told that there is nothing to do', async ({
  page,
  another,
  passkeys: _,
}) => {
  const username = await signUpWithPasskeyOnPage(page)
  for (let attempt = 0; attempt < 5; attempt += 1) await signInWithPassword(another(), username, WRONG_PASSWORD)
  // Attempts are recorded after their answers.
  await expect(async () => {
    await open(page, '/secure')
    const headings = page.getByRole('main').getByRole('heading', { level: 2 })
    await expect(headings).toHaveText(['What happened'], { timeout: 500 })
  }).toPass()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Security check-up')
  const advice = page.getByRole('main').locator('p', { hasText: 'password' })
  await expect(advice).toHaveText(["You don't need to do anything: this account has no password to guess."])
  await button(page, 'Go to your profile').click()
  await page.waitForURL('/profile')
  await expect(notices(page)).toHaveCount(0)
})

test('in a check-up, who has codes, passkeys, a password and an app confirms what they recognize and is told that all is well', async ({
  page,
  client,
  server,
}) => {
  await signInTo(client, page, server)
  expect((await register(client, new Authenticator(server.origin))).status).toBe(201)
  await createRecoveryCodes(client)
  await new Flow(client, await registerApp(server, CALLBACK)).code()
  await answerNotices(page)
  await open(page, '/secure')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Security check-up')
  await expect(page).toHaveTitle(/^Security check-up · /)
  await expect(page.getByRole('main').getByRole('link', { name: 'Profile', exact: true })).toBeVisible()
  await expect(secureSteps(page)).toHaveText([
    '1.Passkeys',
    "2.Where you're signed in",
    '3.Password',
    '4.Connected apps',
    '5.Recovery codes',
  ])
  const mainButton = page.locator('main .button-primary')
  await expect(mainButton).toHaveText('I recognize all of these')
  await mainButton.click()
  for (const [title, answer] of [
    ["Where you're signed in", 'I recognize all of these'],
    ['Password', 'Leave it as it is'],
    ['Connected apps', 'I recognize all of these'],
    ['Recovery codes', 'Leave it as it is'],
  ] as const) {
    // What is confirmed is shown: this session, and the other one with its way out. This browser stays.
    if (title.startsWith('Where')) {
      await expect(page.getByRole('button', { name: /^Sign out (?!everywhere)/ })).toHaveCount(1)
      await expect(button(page, 'Sign out everywhere')).toHaveCount(0)
    }
    await expect(mainButton).toHaveText(answer)
    await expect(mainButton).toHaveAccessibleDescription(new RegExp(title))
    await mainButton.click()
    await expect(secureSteps(page).filter({ hasText: title })).toHaveText(`Done:${title}`)
  }
  await expect(statusMessage(page, "You've checked everything.")).toBeVisible()
  await expect(page.getByRole('main')).toContainText(/Your ways in: .*1 passkey.*a password.*10 recovery codes/)
  // The other session, which was left as it is.
  expect((await client.post('/api/i')).status).toBe(200)
})

test('a notice that comes during a check-up is shown, and what was only recognized before is done no more', async ({
  page,
  client,
  server,
}) => {
  const { id, username } = await signInTo(client, page, server)
  expect((await register(client, new Authenticator(server.origin))).status).toBe(201)
  await createRecoveryCodes(client)
  await answerNotices(page)
  await open(page, '/secure')
  for (const answer of ['I recognize all of these', 'Leave it as it is', 'Leave it as it is'])
    await page.getByRole('button', { name: answer }).last().click()
  await expect(secureSteps(page)).toHaveText([
    '1.Passkeys',
    "Done:Where you're signed in",
    'Done:Password',
    'Done:Recovery codes',
  ])
  expect((await signInWithPassword(new Client(server), username)).status).toBe(200)
  // A sign-in within two seconds of this browser's own counts as its own.
  const signIn = `"userId" = '${id}' AND "type" = 'signed_in' AND "browser" IS NULL`
  await expect.poll(() => readSql(server.databaseUrl, `SELECT "id" FROM "Event" WHERE ${signIn}`)).toHaveLength(1)
  executeSql(server.databaseUrl, `UPDATE "Event" SET "at" = "at" + 120000 WHERE ${signIn}`)
  await removePasskey(page)
  await expect(page.getByRole('region', { name: 'What happened' })).toContainText('Sign-in from a new browser')
  await expect(secureSteps(page)).toHaveText([
    "Done:Remove passkeys you don't recognize",
    '2.Sign out everywhere else',
    '3.Change password',
    '4.Create new codes',
  ])
  await expect(statusMessage(page, 'All steps are done.')).toBeHidden()
})

test('a check-up shows all sessions, and is done with them once no other is left', async ({ page, client, server }) => {
  const { username } = await signInTo(client, page, server)
  const agents = ['Firefox', 'Chrome', 'Vivaldi', 'Opera'].map((name) => `${name}/1 (Windows NT 10.0)`)
  const others = agents.map((agent) => new Client(server, { headers: { 'User-Agent': agent } }))
  for (const other of others) expect((await signInWithPassword(other, username)).status).toBe(200)
  await answerNotices(page)
  await open(page, '/secure')
  const ways = page.getByRole('button', { name: /^Sign out (?!everywhere)/ })
  await expect(ways).toHaveCount(5)
  for (const other of others) await other.post('/api/signout')
  await page.reload()
  await ready(page)
  await expect(ways).toHaveCount(1)
  await ways.click()
  await expect(secureSteps(page)).toHaveText(["Done:Where you're signed in", '2.Password', '3.Recovery codes'])
  await expect(secureSteps(page).nth(1)).toBeFocused()
  // Sessions since then are still to be recognized.
  expect((await signInWithPassword(new Client(server), username)).status).toBe(200)
  await answerNotices(page)
  await open(page, '/secure')
  await expect(secureSteps(page).first()).toHaveText("1.Where you're signed in")
})

test('failed attempts that come during a check-up leave the password alone to be looked at', async ({
  page,
  client,
  another,
  server,
}) => {
  const { id, username } = await signInTo(client, page, server)
  expect((await register(client, new Authenticator(server.origin))).status).toBe(201)
  await answerNotices(page)
  await open(page, '/secure')
  const stranger = another()
  for (let attempt = 0; attempt < 5; attempt += 1)
    expect((await signInWithPassword(stranger, username, WRONG_PASSWORD)).status).toBe(401)
  // They are counted after the responses.
  const counted = `SELECT "count" FROM "Event" WHERE "userId" = '${id}' AND "type" = 'signin_failed'`
  await expect.poll(() => readSql(server.databaseUrl, counted)).toEqual(['5'])
  await removePasskey(page)
  await expect(page.getByRole('region', { name: 'What happened' })).toContainText('5 failed sign-in attempts')
  await expect(secureSteps(page)).toHaveText(['1.Password'])
})
