import { VirtualAuthenticator } from '../../passkey-fixture/virtual-authenticator'
import { PASSWORD, randomName } from '../../support/accounts'
import { reauthenticationDialog } from '../../support/browser/account-pages'
import {
  backAtApp,
  consentTitle,
  continueButton,
  continueToApp,
  ignoreRequestsTo,
  openConsent,
  requestTo,
  test,
} from '../../support/browser/app'
import { findViolations } from '../../support/browser/axe'
import { expectToFit } from '../../support/browser/fit'
import {
  button,
  expect,
  open,
  passwordField,
  place,
  ready,
  signedIn,
  signedOut,
  submitSignIn,
  withoutAutofill,
} from '../../support/browser/pages'
import { forgetStepUp } from '../../support/browser/step-up'
import { registerApp } from '../../support/openid/fixtures'
import { accountsJson } from '../../support/operator/accounts-command'

test('the consent page names what the app will learn once there is something', async ({
  page,
  app,
  server,
  faults,
}) => {
  const username = await signedIn(page)
  const wanted = { scope: 'openid profile email groups' }
  await openConsent(page, app, wanted)
  const learned = page.getByRole('main').getByRole('listitem')
  await expect(learned).toHaveText([
    `Your username: ${username}`,
    'Your name, once you have given one',
    'Your email address, once you have one',
    'Your groups, if you join any',
  ])
  await accountsJson(server, 'name', username, 'Ada Lovelace')
  await accountsJson(server, 'email', username, `${username}@example.com`)
  await accountsJson(server, 'group', 'add', `group-${username}`, username)
  await page.reload()
  await expect(learned).toHaveText([
    `Your username: ${username}`,
    'Your name: Ada Lovelace',
    `Your email address: ${username}@example.com`,
    `Your groups: group-${username}`,
  ])
  ignoreRequestsTo(app, faults)
})

test('the consent page tells what an app may do at an API from what it sees', async ({ page, app, server, faults }) => {
  await signedIn(page)
  const resource = `https://${randomName()}.example.com`
  const scopes = ['--scope', 'read=Read your notes', '--scope', 'write=Write and delete your notes']
  await accountsJson(server, 'api', 'add', 'Notes API', resource, ...scopes, '--app', app.id)
  await openConsent(page, app, { scope: 'openid read write', resource })
  const main = page.getByRole('main')
  await expect(main.getByRole('list', { name: 'The app will see' })).toHaveText("Only your account's ID")
  const rights = main.getByRole('list', { name: 'It may also' })
  await expect(rights).toContainText('Use Notes API on your behalf')
  await expect(rights.getByRole('list').getByRole('listitem')).toHaveText([
    'Read your notes',
    'Write and delete your notes',
  ])
  await continueButton(page).click()
  await backAtApp(page, app)
  await open(page, '/profile/apps')
  const listed = page.getByRole('region', { name: 'Connected apps' }).getByRole('listitem').filter({ hasText: 'Notes' })
  await expect(listed.first()).toContainText('Can use Notes API on your behalf')
  await expect(listed.getByRole('listitem')).toHaveText(['Read your notes', 'Write and delete your notes'])
  ignoreRequestsTo(app, faults)
})

test('a click that comes with the focus, as of a window that closes under the pointer, is no consent @promise', async ({
  page,
  app,
  faults,
}) => {
  await signedIn(page)
  await openConsent(page, app)
  const answers: string[] = []
  page.on('request', (request) => request.url().endsWith('/api/oauth/consent') && answers.push(request.url()))
  const allow = continueButton(page)
  const pressedAt = await allow.evaluate((press: HTMLButtonElement) => {
    dispatchEvent(new Event('focus'))
    press.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }))
    press.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))
    return performance.now()
  })
  await page.waitForFunction((at) => performance.now() > at + 600, pressedAt)
  expect(answers).toEqual([])
  await allow.click()
  await backAtApp(page, app)
  ignoreRequestsTo(app, faults)
})

test('lasting access needs a step-up on the page, and the profile says that an app has it @promise', async ({
  page,
  app,
  faults,
}) => {
  await signedIn(page)
  await forgetStepUp(page)
  await openConsent(page, app, { scope: 'openid offline_access' })
  await expect(page.getByText("It stays connected when you're not here")).toBeVisible()
  await continueButton(page).click()
  const dialog = reauthenticationDialog(page)
  await dialog.locator('input[name="password"]').fill(PASSWORD)
  await dialog.locator('input[name="password"]').press('Enter')
  expect((await backAtApp(page, app)).has('code')).toBe(true)
  await open(page, '/profile/apps')
  const apps = page.getByRole('region', { name: 'Connected apps' })
  await expect(apps).toContainText("Has access while you're away")
  ignoreRequestsTo(app, faults)
})

test('the consent page says that it can be closed once it has led to an app with a scheme of its own', async ({
  page,
  app,
  server,
  faults,
}) => {
  const native = { ...(await registerApp(server, 'com.example.native:/callback')), origin: app.origin }
  await page.clock.install()
  await signedIn(page)
  for (const answer of ['Cancel', 'Continue']) {
    await page.goto(requestTo(native))
    await ready(page)
    const redirected = page.waitForResponse((response) => response.status() === 303)
    await button(page, answer).click()
    expect((await redirected).headers().location).toMatch(/^com\.example\.native:\/callback\?/)
    await page.clock.fastForward(10_000)
    const main = page.getByRole('main')
    await expect(main.getByText('If the app has opened, you can close this page.')).toBeVisible()
    await expect(main.getByRole('button', { name: /^(Continue|Cancel)$/ })).toHaveCount(0)
  }
  for (const fault of faults.splice(0)) expect(fault).toContain('com.example.native')
})

test('what the app would learn and whose session it is leave the page with the session, even if the page stays', async ({
  page,
  app,
  faults,
}) => {
  const username = await signedIn(page)
  await openConsent(page, app)
  // No page in place of this one.
  await page.route('**/consent?*', (route) => route.fulfill({ status: 204 }))
  await page.evaluate(() => new BroadcastChannel('latchkey').postMessage({ type: 'signed-out' }))
  await expect(page.getByText("You're signed out.")).toBeVisible()
  await expect(page.getByText(username)).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(0)
  ignoreRequestsTo(app, faults)
})

test('an app that requires a passkey says so first, and a passkey made for it counts as the sign-in', async ({
  page,
  app,
  server,
  faults,
}) => {
  const strict = { ...(await registerApp(server, app.redirectUri, '--require-passkey')), origin: app.origin }
  await withoutAutofill(page)
  await VirtualAuthenticator.attach(page)
  const username = await signedOut(page)
  await page.goto(requestTo(strict))
  await ready(page)
  await expect(page.getByRole('main')).toContainText(`${strict.name} needs a passkey.`)
  await expect(button(page, 'Sign in with a passkey')).toBeFocused()
  await expect(passwordField(page)).toHaveCount(0)
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Create an account' }).click()
  await expect(button(page, 'Create account with a passkey')).toBeVisible()
  await expect(button(page, 'Use a password instead')).toHaveCount(0)
  await page.goBack()
  await page.getByRole('link', { name: /^No passkey yet\?/ }).click()
  await ready(page)
  await expect(page.getByRole('main')).toContainText(`Sign in, then add a passkey for ${strict.name}.`)
  await expect(page.locator('.button-primary')).toHaveText('Sign in')
  await expect(page.getByRole('link', { name: 'Use a passkey instead' })).toBeVisible()
  await submitSignIn(page, username)
  await expect(page.getByRole('heading', { name: `${strict.name} asks for a passkey` })).toBeVisible()
  await expect(page).toHaveTitle(`${strict.name} asks for a passkey · Latchkey`)
  await ready(page)
  expect(await findViolations(page)).toEqual([])
  await button(page, `Go back to ${strict.name}`).click()
  expect((await backAtApp(page, app)).get('error')).toBe('unmet_authentication_requirements')

  await page.goto(requestTo(strict))
  await ready(page)
  await expect(page.getByRole('link', { name: 'Sign in with a passkey' })).toHaveCount(0)
  await button(page, 'Add a passkey').click()
  await expect(consentTitle(page, strict)).toBeVisible()
  await ready(page)
  await continueButton(page).click()
  expect((await backAtApp(page, app)).has('code')).toBe(true)
  ignoreRequestsTo(app, faults)
})

test('a person who answers after the session was revoked signs in, and the same request goes on', async ({
  page,
  app,
  faults,
}) => {
  const username = await signedIn(page)
  await openConsent(page, app)
  expect((await page.request.post('/api/signout')).status()).toBe(204)
  await continueButton(page).click()
  await page.getByRole('main').getByRole('link', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/\/signin\?/)
  await ready(page)
  await submitSignIn(page, username)
  await continueToApp(page, app, faults)
})

test('an account outside the groups of an app reads why, in its language and on a phone, whatever its name', async ({
  page,
  app,
  server,
  faults,
}) => {
  const closed = { ...(await registerApp(server, app.redirectUri, '--group', 'family')), origin: app.origin }
  await signedIn(page, randomName().padEnd(64, 'm'))
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(requestTo(closed))
  await expect(page.getByRole('heading', { name: `You can't use ${closed.name}` })).toBeVisible()
  await expect(page).toHaveTitle(`You can't use ${closed.name} · Latchkey`)
  for (const locale of ['de', 'ar']) {
    await page.goto(`${place(page)}&locale=${locale}`)
    await expect(page.locator('html')).toHaveAttribute('lang', locale)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(closed.name)
    await expectToFit(page, locale)
  }
  await page.goto(`${place(page)}&locale=en`)
  await ready(page)
  await button(page, `Go back to ${closed.name}`).click()
  expect((await backAtApp(page, app)).get('error')).toBe('access_denied')
  ignoreRequestsTo(app, faults)
})
