import type { Page } from 'playwright/test'
import decodeQR from 'qr/decode.js'
import { invitationIn, randomName } from '../../support/accounts'
import { dialog, errorMessage, reauthenticationDialog, statusMessage } from '../../support/browser/account-pages'
import { expectFine, signInAsAdministrator } from '../../support/browser/admin-pages'
import { expectToFitPhone } from '../../support/browser/fit'
import { button, expect, open, ready, test } from '../../support/browser/pages'
import { forgetStepUp } from '../../support/browser/step-up'
import { Client } from '../../support/client'
import { smallPng } from '../../support/openid/fixtures'
import { accountsJson } from '../../support/operator/accounts-command'
import type { Server } from '../../support/server/server'

test.use({
  contextOptions: { reducedMotion: 'reduce' },
  permissions: ['clipboard-read', 'clipboard-write'],
  viewport: { width: 390, height: 844 },
})

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

/** Copies a value by its button. @returns the clipboard's text */
async function copy(page: Page, what: string): Promise<string> {
  await button(page, `Copy: ${what}`).click()
  await expect(button(page, `Copied: ${what}`)).toBeVisible()
  return page.evaluate(() => navigator.clipboard.readText())
}

/** What a phone's camera reads from the QR code on the page. */
async function readQr(page: Page): Promise<string> {
  const picture = await page.getByRole('img', { name: /^QR code/ }).screenshot()
  const pixels = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    const context = canvas.getContext('2d')
    context?.drawImage(bitmap, 0, 0)
    const { data = [] } = context?.getImageData(0, 0, bitmap.width, bitmap.height) ?? {}
    return { width: bitmap.width, height: bitmap.height, data: [...data] }
  }, picture.toString('base64'))
  return decodeQR({ ...pixels, data: Uint8ClampedArray.from(pixels.data) })
}

const appNamed = async (server: Server, name: string) =>
  (await accountsJson(server, 'app', 'list')).apps.find((app: { name: string }) => app.name === name)

test('an administrator adds, changes and deletes apps and APIs', async ({ page, passkeys: _, server }) => {
  test.slow()
  const administrator = await signInAsAdministrator(page, server)
  const group = `family-${randomName().toLowerCase()}`
  await accountsJson(server, 'group', 'add', group)

  // A known app needs one address.
  await open(page, '/admin/apps?add')
  await page.getByRole('searchbox', { name: 'Find your app' }).fill('nothing')
  await expect(page.getByText("It isn't among these")).toBeVisible()
  await page.getByRole('searchbox').fill(' ACT')
  await expect(page.getByRole('link', { name: 'Immich' })).toHaveCount(0)
  await expectFine(page, 'the choice of an app')
  await page.getByRole('link', { name: 'Actual', exact: true }).click()
  await expect(heading(page, 'Add Actual')).toBeVisible()
  // One word of it is longer than a line of a phone with large text.
  const name = `Budget ${randomName()}wwww`
  await page.getByLabel('Name', { exact: true }).fill(name)
  await button(page, 'Add Actual').click()
  await expect(page.getByLabel('Address of Actual')).toBeFocused()
  await page.getByLabel('Address of Actual').fill('http://not safe/')
  await button(page, 'Add Actual').click()
  await expect(page.getByText('Enter an address such as https://budget.example.com')).toBeVisible()
  await expectFine(page, 'a wrong address')
  await page.getByLabel('Address of Actual').fill('Budget.Smith.example/')
  await page.getByLabel(group).check()
  // The step-up is older than ten minutes: the passkey is asked for, and what was typed stays.
  await forgetStepUp(page)
  await button(page, 'Add Actual').click()
  await reauthenticationDialog(page).getByRole('button', { name: 'Use a passkey' }).click()
  await expect(heading(page, `Enter these values in ${name}`)).toBeFocused()
  await expect(page).toHaveTitle(new RegExp(`^Enter these values in ${name}`))
  await expectFine(page, 'the values')
  const registered = await appNamed(server, name)
  expect(registered).toMatchObject({
    redirectUris: ['https://budget.smith.example/openid/callback'],
    homeUrl: 'https://budget.smith.example',
    groups: [group],
    pkce: 'or_nonce',
    public: false,
  })
  const { id } = registered
  // Nothing was copied yet, so it asks.
  await button(page, "I've kept it").click()
  await dialog(page, 'Have you kept it?').getByRole('button', { name: 'Go back to it' }).click()
  const settings = await copy(page, `Settings of ${name}`)
  expect(await copy(page, 'Client ID')).toBe(id)
  const secret = await copy(page, 'Client secret')
  expect(settings).toBe(
    [
      `ACTUAL_OPENID_DISCOVERY_URL=${server.origin}`,
      `ACTUAL_OPENID_CLIENT_ID=${id}`,
      `ACTUAL_OPENID_CLIENT_SECRET=${secret}`,
      'ACTUAL_OPENID_SERVER_HOSTNAME=https://budget.smith.example',
    ].join('\n'),
  )
  await button(page, "I've kept it").click()
  await page.waitForURL(`/admin/apps/${id}`)
  await expect(page).toHaveTitle(new RegExp(`^${name}`))
  await expect(page.getByText(secret)).toHaveCount(0)

  // Another administrator's change of another field stays.
  await accountsJson(server, 'app', 'change', id, '--require-passkey')
  await page.getByLabel('Redirect URIs').fill('not a uri')
  // Neither a return to the page, which shows it anew, nor a link nor Back loses what is typed.
  await Promise.all([
    page.waitForResponse((response) => new URL(response.url()).pathname === `/admin/apps/${id}`),
    page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))),
  ])
  await page.getByRole('link', { name: 'Groups' }).click()
  await dialog(page, 'Leave without saving?').getByRole('button', { name: 'Stay here' }).click()
  const [question] = await Promise.all([page.waitForEvent('dialog'), page.evaluate(() => window.history.back())])
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await button(page, 'Save changes').click()
  await expect(page.getByText(/ must be of ASCII without spaces; percent-encode the rest\.?$/)).toBeVisible()
  await page.getByLabel('Redirect URIs').fill('https://budget.smith.example/a\nhttp://budget.smith.example/b')
  await button(page, 'Save changes').click()
  await expect(page.getByText('must be https')).toBeVisible()
  await page.getByLabel('Redirect URIs').fill('https://budget.smith.example/a\nhttps://budget.smith.example/b')
  await page.getByLabel('Address of the app').fill('')
  await page.getByLabel(group).uncheck()
  await page.getByText('More settings').click()
  await page.getByLabel('Where people come back to').fill('https://budget.smith.example/bye')
  await page.getByLabel('Address that hears of sign-outs').fill('https://budget.smith.example/ended')
  await page.getByLabel('Protection of the sign-in').selectOption('Always PKCE')
  await page.getByLabel('It is ours').check()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByText('Choose a picture', { exact: true }).click(),
  ])
  await chooser.setFiles({ name: 'icon.png', mimeType: 'image/png', buffer: smallPng })
  await expect(page.getByText('icon.png', { exact: true })).toBeVisible()
  // Somebody else changes the same: only a second press replaces that.
  await accountsJson(server, 'app', 'change', id, '--home', 'https://other.example/')
  await button(page, 'Save changes').click()
  await expect(errorMessage(page, 'Another administrator has changed the same settings meanwhile.')).toBeVisible()
  expect(await appNamed(server, name)).toMatchObject({ homeUrl: 'https://other.example/', trusted: false })
  await button(page, 'Save changes').click()
  await expect(statusMessage(page, 'Saved.')).toBeVisible()
  expect(await appNamed(server, name)).toMatchObject({
    redirectUris: ['https://budget.smith.example/a', 'https://budget.smith.example/b'],
    homeUrl: null,
    groups: [],
    signOutUris: ['https://budget.smith.example/bye'],
    backChannelUri: 'https://budget.smith.example/ended',
    icon: expect.stringContaining('digest='),
    pkce: 'required',
    trusted: true,
    requirePasskey: true,
  })

  await button(page, `New secret for ${name}`).click()
  await page.getByLabel('The old secret works for').selectOption('1 hour')
  await button(page, 'Make a new secret').click()
  await expect(page.getByText(/^The old secret works until .*\d. Enter the new one in /)).toBeVisible()
  expect(await copy(page, 'Client secret')).not.toBe(secret)
  await button(page, "I've kept it").click()

  // Signs in as the app would send them, and comes back: the page says what it was told.
  await expect(page.getByText("You haven't signed in to it yet.")).toBeVisible()
  const request = new URLSearchParams({
    client_id: id,
    redirect_uri: 'https://budget.smith.example/b',
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  })
  const answer = await page.request.get(`/api/oauth/authorize?${request}`, { maxRedirects: 0 })
  expect(answer.headers().location).toMatch(/^https:\/\/budget\.smith\.example\/b\?code=/)
  request.set('redirect_uri', 'https://elsewhere.example/')
  await page.request.get(`/api/oauth/authorize?${request}`, { maxRedirects: 0 })
  await expect(async () => {
    await page.reload()
    await expect(page.getByText(`Your username: ${administrator.username}`)).toBeVisible({ timeout: 500 })
    await expect(errorMessage(page, 'wanted people back at an address')).toBeVisible({ timeout: 500 })
  }).toPass()
  await expect(page.getByText('Your email address: you have none')).toBeVisible()
  await expectFine(page, 'what it was told')
  await expectToFitPhone(page, 'an app')

  await open(page, `/admin/apps/${id}`)
  await button(page, 'Delete app').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete app' }).click()
  await page.waitForURL('/admin/apps')
  await expect(page.getByText(name)).toHaveCount(0)
  expect(await appNamed(server, name)).toBeUndefined()

  // Any other app, with the client id that its people know.
  await open(page, '/admin/apps?add=other')
  const other = { id: `wiki-${randomName()}`, name: `Wiki ${randomName()}` }
  await page.getByLabel('Name', { exact: true }).fill(other.name)
  await page.getByLabel('Redirect URIs').fill('https://wiki.example/callback')
  await page.getByText('More settings').click()
  await page.getByLabel('It has no secret').check()
  await page.getByLabel('Client ID').fill(other.id)
  await button(page, 'Add an app').click()
  await expect(page.getByText('This app has no secret.')).toBeVisible()
  await page.getByRole('link', { name: `Go on to ${other.name}` }).click()
  await page.waitForURL(`/admin/apps/${other.id}`)
  expect(await appNamed(server, other.name)).toMatchObject({ id: other.id, public: true, pkce: 'required' })
  // That somebody may not use it is no fault, and no alarm.
  await accountsJson(server, 'app', 'change', other.id, '--group', group)
  const refused = { client_id: other.id, redirect_uri: 'https://wiki.example/callback' }
  await page.request.get(`/api/oauth/authorize?${new URLSearchParams({ ...Object.fromEntries(request), ...refused })}`)
  await expect(async () => {
    await page.reload()
    await expect(page.locator('[data-tone=info]')).toContainText('in none of its groups', { timeout: 500 })
  }).toPass()
  // Where nothing is typed, nothing asks.
  await ready(page)
  await page.getByRole('link', { name: 'Apps', exact: true }).first().click()
  await page.waitForURL('/admin/apps')
  await expect(page.getByRole('link', { name: new RegExp(other.name) })).toBeVisible()

  // A program that comes back to no page needs a name alone.
  await open(page, '/admin/apps?add')
  await page.getByRole('link', { name: /^A job or a service/ }).click()
  const job = `Job ${randomName()}`
  await page.getByLabel('Name', { exact: true }).fill(job)
  await button(page, 'Add an app').click()
  await expect(heading(page, `Enter these values in ${job}`)).toBeFocused()
  await copy(page, 'Client secret')
  await button(page, "I've kept it").click()
  await page.waitForURL(/\/admin\/apps\/./)
  const machine = await appNamed(server, job)
  expect(machine).toMatchObject({ machine: true, redirectUris: [] })
  // An API, for which they then get tokens.
  await open(page, '/admin/apis')
  await page.getByRole('main').getByRole('link', { name: 'Add an API' }).click()
  const api = { name: `Notes ${randomName()}`, identifier: `https://${randomName().toLowerCase()}.example.com/v1` }
  await page.getByLabel('Name', { exact: true }).fill(api.name)
  await button(page, 'Add an API').click()
  await expect(page.getByLabel('Identifier')).toBeFocused()
  await page.getByLabel('Identifier').fill('notes.example.com')
  const scopes = page.getByLabel('Scope', { exact: true })
  const sentences = page.getByLabel('What it lets an app do')
  await scopes.fill('notes.read')
  await sentences.fill('Read your notes')
  await button(page, 'Add a scope').click()
  await expect(scopes.last()).toBeFocused()
  await page.keyboard.type('notes.read')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Write notes in your name')
  await button(page, 'Add an API').click()
  await expect(page.getByText('notes.read stands there twice.')).toBeVisible()
  await scopes.last().fill('notes.write')
  await button(page, 'Add a scope').click()
  await scopes.last().fill('notes.mistaken')
  await button(page, 'Remove scope 3').click()
  await expect(scopes.last()).toBeFocused()
  await button(page, 'Add an API').click()
  await expect(page.getByText('must be absolute')).toBeVisible()
  await page.getByLabel('Identifier').fill(api.identifier)
  await button(page, 'Add an API').click()
  await expect(page).toHaveTitle(new RegExp(`^${api.name}`))
  await expect(heading(page, api.name)).toBeVisible()
  const place = `/admin/apis?${new URLSearchParams({ api: api.identifier })}`
  expect(page.url()).toBe(`${server.origin}${place}`)
  await expect(page.getByText('No app may ask for tokens yet.')).toBeVisible()
  expect(await copy(page, 'resource')).toBe(api.identifier)
  expect(await copy(page, 'scope')).toBe('notes.read notes.write')
  expect(await copy(page, 'iss')).toBe(server.origin)
  const apiNow = async () => (await accountsJson(server, 'api', 'show', api.identifier)).api

  // As with apps, another administrator's change of another field stays.
  await button(page, 'Remove scope 2').click()
  await page.getByRole('link', { name: 'Keys' }).click()
  await dialog(page, 'Leave without saving?').getByRole('button', { name: 'Stay here' }).click()
  await page.getByLabel(job).check()
  await page.getByLabel('A token is good for').selectOption('30 minutes')
  await accountsJson(server, 'api', 'change', api.identifier, '--name', `${api.name} 2`)
  await button(page, 'Save changes').click()
  await expect(statusMessage(page, 'Saved.')).toBeVisible()
  expect(await apiNow()).toMatchObject({
    name: `${api.name} 2`,
    scopes: { 'notes.read': 'Read your notes' },
    apps: [machine.id],
    lifetime: '30m',
  })
  await expect(heading(page, `${api.name} 2`)).toBeVisible()
  await expectFine(page, 'an API')
  await expectToFitPhone(page, 'an API')
  await open(page, '/admin/apis')
  await page.getByRole('link', { name: new RegExp(api.name) }).click()
  await button(page, 'Delete API').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete API' }).click()
  await page.waitForURL('/admin/apis')
  await expect(page.getByText(api.name)).toHaveCount(0)
})

test('an administrator invites people, makes keys and reads the log', async ({ page, passkeys: _, server }) => {
  test.slow()
  const administrator = await signInAsAdministrator(page, server)
  const group = `family-${randomName().toLowerCase()}`
  await accountsJson(server, 'group', 'add', group)
  const invited = async () =>
    (await accountsJson(server, 'invite', 'list')).invitations.filter(
      ({ by }: { by: string }) => by === administrator.id,
    )

  await open(page, '/admin/invitations')
  await page.getByRole('main').getByRole('link', { name: 'Invite people' }).click()
  const note = `Grandma ${randomName()}`
  await page.getByLabel('Who is it for?').fill(note)
  await page.getByLabel(group).check()
  await page.getByLabel('Good for').selectOption('30 days')
  await expectFine(page, 'an invitation')
  await button(page, 'Make the invitation').click()
  await expect(heading(page, 'Send this link, or show the QR code')).toBeFocused()
  await expectFine(page, 'the link')
  const link = await copy(page, note)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await readQr(page)).toBe(link)
  await page.emulateMedia({ colorScheme: 'light' })
  expect(await invited()).toMatchObject([{ note, groups: [group] }])
  await button(page, "I've kept it").click()
  await page.waitForURL('/admin/invitations')

  // Who has come is no longer waited for.
  const guest = new Client(server)
  const username = randomName()
  const body = { username, password: 'correct horse battery staple', invitation: invitationIn(link) }
  expect((await guest.post('/api/signup', body)).status).toBe(201)
  expect((await accountsJson(server, 'show', username)).groups).toEqual([group])
  await page.reload()
  await expect(page.getByText(note)).toHaveCount(0)

  await open(page, '/admin/invitations?invite')
  await page.getByLabel('How many people?').fill('1000')
  await button(page, 'Make the invitation').click()
  await expect(page.getByText('Enter a number from 1 to 50.')).toBeVisible()
  const team = `Team ${randomName()}`
  await page.getByLabel('Who is it for?').fill(team)
  await page.getByLabel('How many people?').fill('3')
  await button(page, 'Make the invitation').click()
  await expect(heading(page, 'Send a link to each person')).toBeFocused()
  await button(page, 'Copy all links').click()
  await expect(button(page, 'Copied')).toBeVisible()
  const links = (await page.evaluate(() => navigator.clipboard.readText())).split('\n')
  expect(new Set(links).size).toBe(3)
  await button(page, `QR code: ${team} 2`).click()
  expect(await readQr(page)).toBe(links[1])
  await button(page, 'Close').click()
  await button(page, "I've kept it").click()
  const [withdrawn] = await invited()
  await button(page, `Withdraw: ${team}`).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await expect(statusMessage(page, 'Invitation withdrawn.')).toBeVisible()
  expect((await invited()).map(({ id }: { id: string }) => id)).toHaveLength(2)
  // Withdrawn by somebody else meanwhile.
  for (const { id } of await invited()) await accountsJson(server, 'invite', 'withdraw', id)
  await button(page, `Withdraw: ${team}`).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await expect(errorMessage(page, "It isn't there any more.")).toBeVisible()
  await expect(page.getByText(team)).toHaveCount(0)
  expect(withdrawn).toBeDefined()
  await expectToFitPhone(page, 'invitations')

  await open(page, '/admin/keys')
  const key = `house-${randomName().toLowerCase()}`
  const keyNamed = async () =>
    (await accountsJson(server, 'key', 'list')).keys.find(({ name }: { name: string }) => name === key)
  await button(page, 'Make a key').click()
  await page.getByRole('textbox', { name: 'Name' }).fill(key)
  await button(page, 'Make the key').click()
  await expect(page.getByText('Tick at least one.')).toBeVisible()
  await page.getByLabel('Accounts', { exact: true }).check()
  await page.getByLabel('It only reads').check()
  await page.getByLabel('Ends after').selectOption('30 days')
  await button(page, 'Make the key').click()
  await expect(heading(page, `The key ${key}`)).toBeFocused()
  const token = await copy(page, 'Key')
  const asKey = new Client(server, { headers: { Authorization: `Bearer ${token}` } })
  expect((await asKey.post('/api/admin/accounts/show', { username })).status).toBe(200)
  expect(await keyNamed()).toMatchObject({ areas: ['accounts'], readOnly: true, by: administrator.id })
  await button(page, "I've kept it").click()
  await button(page, `Delete: ${key}`).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(statusMessage(page, `The key ${key} is deleted.`)).toBeVisible()
  expect(await keyNamed()).toBeUndefined()

  // The log is in words, and each view of it has an address.
  await accountsJson(server, 'group', 'remove', group, username)
  await accountsJson(server, 'group', 'add', group, username)
  await accountsJson(server, 'disable', username)
  await page.goto('/admin/log')
  await page.getByText('Filter', { exact: true }).click()
  await page.getByLabel('Person').fill(username)
  await button(page, 'Show').click()
  await page.waitForURL((url) => url.searchParams.get('person') === username)
  await expect(page.getByRole('main').getByRole('listitem')).toHaveText([
    /^Disabled .*A command · /,
    new RegExp(`^Added ${username} to ${group}`),
    new RegExp(`^Took ${username} out of ${group}`),
  ])
  await page.goto('/admin/log')
  await page.getByText('Filter', { exact: true }).click()
  await page.getByLabel('Who did it').selectOption({ label: administrator.username })
  await button(page, 'Show').click()
  await page.waitForURL((url) => url.searchParams.get('by') === administrator.id)
  await expectFine(page, 'the log')
  const entries = page.getByRole('main').getByRole('listitem')
  await expect(entries).toHaveText([
    /^Deleted a key/,
    /^Made a key/,
    /^Withdrew an invitation/,
    /^Invited people/,
    new RegExp(`^Invited people to ${group}`),
  ])
  await page.goto('/admin/log?person=nobody-of-this-name')
  await expect(heading(page, 'Nothing found')).toBeVisible()
})
