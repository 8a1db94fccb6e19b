import { randomName, signInElsewhere, signInWithRecoveryCode, signUp, signUpWithPasskey } from '../../support/accounts'
import {
  dialog,
  errorMessage,
  reauthenticationDialog,
  section,
  statusMessage,
} from '../../support/browser/account-pages'
import { confirm, expectFine, expectToFitNarrow, signInAsAdministrator } from '../../support/browser/admin-pages'
import { button, expect, open, test } from '../../support/browser/pages'
import { forgetStepUp } from '../../support/browser/step-up'
import { Client } from '../../support/client'
import { expectSignedOut } from '../../support/expectations'
import { accountsJson } from '../../support/operator/accounts-command'
import { Authenticator } from '../../support/webauthn/authenticator'

test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width: 390, height: 844 } })

test('an administrator finds somebody and does all that there is to do for them', async ({
  page,
  passkeys: _,
  server,
}) => {
  const admin = await signInAsAdministrator(page, server)
  const first = new Client(server)
  const { username, id } = await signUp(first)
  const { id: withPasskey } = await signUpWithPasskey(new Client(server), new Authenticator(server.origin))
  await signInElsewhere(server, username)
  const shown = () => accountsJson(server, 'show', `id:${id}`)

  await page.locator('header summary').click()
  await page.getByRole('link', { name: 'Administration' }).click()
  await page.waitForURL('/admin/accounts')
  await expect(page.getByRole('link', { name: admin.username, exact: true })).toBeVisible()
  await expectFine(page, 'accounts')
  await page.getByRole('searchbox', { name: 'Username' }).fill(username.toUpperCase())
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.searchParams.get('query') === username.toUpperCase())
  await expect(page.getByRole('link', { name: username })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: admin.username })).toHaveCount(0)
  await page.getByText('Filter', { exact: true }).click()
  await page.getByLabel('Show').selectOption('Disabled')
  await button(page, 'Find').last().click()
  await expect(page.getByRole('heading', { name: 'Nobody found' })).toBeVisible()
  await expect(page.getByText('Filter · Disabled', { exact: true })).toBeVisible()
  await open(page, `/admin/accounts?query=${username}&show=no-passkey`)
  await page.getByRole('link', { name: username }).click()
  await page.waitForURL(`/admin/accounts/${id}`)
  // What would close these pages to them, administrators do on the profile.
  await open(page, `/admin/accounts/${admin.id}`)
  await expect(page.getByText('This is your own account.')).toBeVisible()
  await expect(page.getByRole('main').getByText(/^(End|Disable|Delete account|Sign out everywhere)$/)).toHaveCount(0)
  await expect(section(page, 'Ways in').getByRole('button')).toHaveCount(0)
  await expect(section(page, 'Ways in').getByText('In use now')).toBeVisible()
  await expect(section(page, 'Signed in').getByText('This device')).toHaveCount(1)
  await page.goto('/admin/accounts/nope')
  await expect(page).toHaveTitle(/^Page not found/)
  await open(page, `/admin/accounts/${id}`)
  await expectFine(page, 'account')
  await expectToFitNarrow(page, 'account')
  await open(page, `/admin/accounts/${id}`)

  // The passkey is asked for once it was not shown for a while, and what was typed is then sent.
  await forgetStepUp(page)
  const renamed = randomName()
  await button(page, 'Change username').click()
  await page.getByRole('textbox', { name: 'Username' }).fill(renamed)
  await button(page, 'Save').click()
  await expect(reauthenticationDialog(page).getByRole('textbox')).toHaveCount(0)
  await button(page, 'Use a passkey').click()
  await expect(page.getByRole('heading', { level: 1, name: renamed })).toBeVisible()
  await button(page, 'Change name').click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada Lovelace')
  await button(page, 'Save').click()
  await expect(statusMessage(page, 'Name changed.')).toBeVisible()
  await button(page, 'Change email address').click()
  await page.getByRole('textbox', { name: 'Email address' }).fill('no address')
  await button(page, 'Save').click()
  await expect(page.getByText('Enter one email address')).toBeVisible()
  await expectFine(page, 'wrong-address')
  // Another administrator is faster.
  await accountsJson(server, 'email', `id:${id}`, `${renamed}@one.example`)
  await page.getByRole('textbox', { name: 'Email address' }).fill(`${renamed}@two.example`)
  await button(page, 'Save').click()
  await expect(page.getByText(`Another administrator has made it “${renamed}@one.example” meanwhile.`)).toBeVisible()
  expect((await shown()).email).toBe(`${renamed}@one.example`)
  await button(page, 'Save').click()
  await expect(statusMessage(page, 'Email address changed.')).toBeVisible()
  expect(await shown()).toMatchObject({
    username: renamed,
    displayName: 'Ada Lovelace',
    email: `${renamed}@two.example`,
  })

  const group = randomName().toLowerCase()
  await accountsJson(server, 'group', 'add', group)
  await page.reload()
  await page.getByLabel('Add to a group').selectOption(group)
  await button(page, 'Add').click()
  await expect(statusMessage(page, `is in ${group} now.`)).toBeVisible()
  expect((await shown()).groups).toEqual([group])
  await confirm(page, `Remove from ${group}`, 'Remove')
  await expect(statusMessage(page, `is no longer in ${group}.`)).toBeVisible()
  expect((await shown()).groups).toEqual([])
  await expect(page.getByText('they first add a passkey on their profile')).toBeVisible()
  await expect(button(page, 'Make an administrator')).toHaveCount(0)

  const [session] = (await shown()).sessions
  await page
    .getByRole('button', { name: /^End: / })
    .first()
    .click()
  await button(page, 'End').last().click()
  await expect(statusMessage(page, 'has ended.')).toBeVisible()
  expect((await shown()).sessions).not.toContainEqual(session)
  await confirm(page, 'Sign out everywhere')
  await expect(statusMessage(page, 'is signed out everywhere.')).toBeVisible()
  await expectSignedOut(first)

  await confirm(page, 'Make a recovery code')
  await expect(page.getByRole('heading', { name: `Recovery code for ${renamed}` })).toBeFocused()
  await expectFine(page, 'recovery-code')
  const code = (
    await page.getByRole('list', { name: 'The code, in four groups' }).locator('code').allTextContents()
  ).join('-')
  expect((await signInWithRecoveryCode(new Client(server), renamed, code)).status).toBe(200)
  await button(page, "I've kept it").click()
  await dialog(page, 'Have you kept it?').getByRole('button', { name: "I've kept it" }).click()

  await confirm(page, 'Disable')
  await expect(statusMessage(page, `${renamed} is disabled.`)).toBeVisible()
  expect((await shown()).disabled).toBe(true)
  await confirm(page, 'Enable')
  await expect(statusMessage(page, `${renamed} can sign in again.`)).toBeVisible()
  expect((await shown()).disabled).toBe(false)
  await button(page, 'Delete account').click()
  await expectFine(page, 'question')
  await page.getByRole('dialog').getByLabel('Username').fill('somebody')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click()
  await page.getByRole('dialog').getByLabel('Username').fill(renamed)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click()
  await page.waitForURL('/admin/accounts')
  expect((await accountsJson(server, 'list', '--query', renamed)).accounts).toEqual([])

  // A passkey is taken away from its owner, and no longer there for a second administrator.
  const owner = await accountsJson(server, 'show', `id:${withPasskey}`)
  await open(page, `/admin/accounts/${owner.id}`)
  await confirm(page, 'Make an administrator')
  await expect(statusMessage(page, 'is in admins now.')).toBeVisible()
  const name = `Remove ${owner.passkeys[0].name}`
  await button(page, name).click()
  await accountsJson(server, 'remove-passkey', `id:${owner.id}`, owner.passkeys[0].id)
  await button(page, 'Remove passkey').click()
  await expect(errorMessage(page, "It isn't there any more.")).toBeVisible()
  await expect(section(page, 'Ways in')).toContainText('No passkeys')
})
