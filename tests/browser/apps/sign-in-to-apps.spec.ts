import { VirtualAuthenticator } from '../../passkey-fixture/virtual-authenticator'
import { createRecoveryCodes, PASSWORD, randomName, signInElsewhere } from '../../support/accounts'
import { reauthenticationDialog } from '../../support/browser/account-pages'
import {
  backAtApp,
  consentTitle,
  continueButton,
  continueToApp,
  ignoreRequestsTo,
  requestTo,
  test,
} from '../../support/browser/app'
import { findViolations } from '../../support/browser/axe'
import {
  alert,
  button,
  expect,
  open,
  place,
  ready,
  signedIn,
  signedOut,
  submitSignIn,
  submitSignUp,
  usernameField,
  withoutAutofill,
} from '../../support/browser/pages'
import { ageSignIn, forgetStepUp } from '../../support/browser/step-up'
import { registerApp } from '../../support/openid/fixtures'
import { exhaustCodes } from '../../support/openid/stored-codes'
import { accountsJson } from '../../support/operator/accounts-command'

test('a person signs in after a wrong attempt, sees once what the app will learn, and is back', async ({
  page,
  app,
  faults,
}) => {
  const username = await signedOut(page)
  await page.goto(requestTo(app))
  await ready(page)
  await expect(page.getByRole('main')).toContainText(`Sign in to continue to ${app.name}.`)
  await submitSignIn(page, username, 'a wrong password')
  await expect(alert(page)).toContainText('Authentication Failed')
  await submitSignIn(page, username)
  await expect(consentTitle(page, app)).toBeVisible()
  await ready(page)
  const main = page.getByRole('main')
  await expect(main).toContainText(`You'll continue to ${new URL(app.origin).host}.`)
  await expect(main.getByRole('listitem')).toHaveText(['A permanent ID for your account', 'Your username'])
  await expect(page.getByText(`Signed in as ${username}`)).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  await continueButton(page, app).click()
  expect((await backAtApp(page, app)).get('code')).toMatch(/^[\w-]{65}$/)

  await page.goto(requestTo(app))
  expect((await backAtApp(page, app)).has('code')).toBe(true)
  ignoreRequestsTo(app, faults)
})

test('the page names what the app will learn once there is something', async ({ page, app, server, faults }) => {
  const username = await signedIn(page)
  const wanted = { scope: 'openid email groups' }
  await page.goto(requestTo(app, wanted))
  await expect(consentTitle(page, app)).toBeVisible()
  const learned = page.getByRole('main').getByRole('listitem')
  await expect(learned).toHaveText([
    'A permanent ID for your account',
    'Your email address, once you have one',
    'Your groups, if you join any',
  ])
  await accountsJson(server, 'email', username, `${username}@example.com`)
  await accountsJson(server, 'group', 'add', `group-${username}`, username)
  await page.reload()
  await expect(learned).toHaveText([
    'A permanent ID for your account',
    `Your email address: ${username}@example.com`,
    `Your groups: group-${username}`,
  ])
  ignoreRequestsTo(app, faults)
})

test('a new account goes on to the app after the welcome page, and Back leads to a page that says that the request was answered', async ({
  page,
  app,
  faults,
}) => {
  await page.goto(requestTo(app))
  await ready(page)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.waitForURL((url) => url.pathname === '/signup')
  await open(page, place(page))
  await expect(page.getByRole('main')).toContainText(`Create an account to continue to ${app.name}.`)
  await submitSignUp(page)
  await page.getByRole('link', { name: `Continue to ${app.name}` }).click()
  await expect(consentTitle(page, app)).toBeVisible()
  await expect(page).toHaveTitle(`Continue to ${app.name}? · Latchkey`)
  await ready(page)
  await button(page, 'Cancel').click()
  expect((await backAtApp(page, app)).get('error')).toBe('access_denied')
  await page.goBack()
  await expect(page.getByRole('heading', { name: "Couldn't continue" })).toBeVisible()
  await expect(page).toHaveTitle("Couldn't continue · Latchkey")
  await expect(page.getByRole('link', { name: 'Go to the home page' })).toHaveAttribute('href', '/')
  ignoreRequestsTo(app, faults)
})

test('a passkey leads to the app, too, and login_hint fills the username', async ({ page, app, faults }) => {
  await withoutAutofill(page)
  await VirtualAuthenticator.attach(page)
  await page.goto(requestTo(app, { prompt: 'create' }))
  await ready(page)
  await usernameField(page).fill(randomName())
  await button(page, 'Create account with a passkey').click()
  await page.getByRole('link', { name: `Continue to ${app.name}` }).click()
  await expect(consentTitle(page, app)).toBeVisible()
  await ready(page)
  await continueButton(page, app).click()
  await backAtApp(page, app)
  await page.context().clearCookies()
  await page.goto(requestTo(app, { login_hint: 'ada' }))
  await ready(page)
  await expect(usernameField(page)).toHaveValue('ada')
  await button(page, 'Sign in with a passkey').click()
  expect((await backAtApp(page, app)).has('code')).toBe(true)
  ignoreRequestsTo(app, faults)
})

test('lasting access needs a step-up on the page, and the profile says that an app has it', async ({
  page,
  app,
  faults,
}) => {
  await signedIn(page)
  await forgetStepUp(page)
  await page.goto(requestTo(app, { scope: 'openid offline_access' }))
  await expect(consentTitle(page, app)).toBeVisible()
  await ready(page)
  await expect(page.getByRole('listitem').filter({ hasText: "Access to the above while you're away" })).toBeVisible()
  await continueButton(page, app).click()
  const dialog = reauthenticationDialog(page)
  await dialog.locator('input[name="password"]').fill(PASSWORD)
  await dialog.locator('input[name="password"]').press('Enter')
  expect((await backAtApp(page, app)).has('code')).toBe(true)
  await open(page, '/profile')
  const apps = page.getByRole('region', { name: 'Connected apps' })
  await expect(apps).toContainText("Has access while you're away")
  ignoreRequestsTo(app, faults)
})

test('prompt=login shows the sign-in page to a signed-in person, and a reload does not go round it', async ({
  page,
  app,
  faults,
}) => {
  const username = await signedIn(page)
  await page.goto(requestTo(app, { prompt: 'login' }))
  await ready(page)
  expect(place(page)).toMatch(/^\/signin\?/)
  await page.reload()
  await ready(page)
  expect(place(page)).toMatch(/^\/signin\?/)
  await submitSignIn(page, username)
  await continueToApp(page, app, faults)
})

test('prompt=create and the way to it lead a signed-in person to the sign-in page where the app wants a new credential', async ({
  page,
  app,
  faults,
}) => {
  const username = await signedIn(page)
  await page.goto(requestTo(app, { prompt: 'create', max_age: '0' }))
  await ready(page)
  expect(place(page)).toMatch(/^\/signin\?/)
  await expect(page.getByRole('link', { name: 'Create an account' })).toHaveCount(0)
  await submitSignIn(page, username)
  await continueToApp(page, app, faults)
})

test('a session that has had as many codes as it may signs in again, and is back', async ({
  page,
  app,
  server,
  faults,
}) => {
  const username = await signedIn(page)
  await ageSignIn(page, server, 60)
  await page.goto(requestTo(app))
  await ready(page)
  await continueButton(page, app).click()
  exhaustCodes(server, (await backAtApp(page, app)).get('code') ?? '')
  await page.goto(requestTo(app))
  await ready(page)
  await submitSignIn(page, username)
  expect((await backAtApp(page, app)).has('code')).toBe(true)
  ignoreRequestsTo(app, faults)
})

test('who signs in to an app stops once where a notice waits, and goes on with one press', async ({
  page,
  server,
  app,
  faults,
}) => {
  const username = await signedOut(page)
  // No sign-in, which one of this browser's own in the same two seconds would account for.
  await createRecoveryCodes(await signInElsewhere(server, username))
  await page.goto(requestTo(app, { prompt: 'login' }))
  await ready(page)
  await submitSignIn(page, username)
  await expect(page.getByRole('heading', { name: 'Before you continue' })).toBeVisible()
  await expect(page.getByRole('main').getByText('Recovery codes were created')).toBeVisible()
  await page.getByRole('link', { name: 'Not now' }).click()
  await expect(consentTitle(page, app)).toBeVisible()
  await ready(page)
  await continueButton(page, app).click()
  expect((await backAtApp(page, app)).has('code')).toBe(true)
  // Nothing is shown to an app that wants no page, and who has answered is not asked again.
  await page.goto(requestTo(app, { prompt: 'none' }))
  expect((await backAtApp(page, app)).has('code')).toBe(true)
  await page.goto(requestTo(app, { prompt: 'login' }))
  await ready(page)
  await submitSignIn(page, username)
  await button(page, 'Yes, it was me').click()
  expect((await backAtApp(page, app)).has('code')).toBe(true)
  await page.goto(requestTo(app, { prompt: 'login' }))
  await ready(page)
  await submitSignIn(page, username)
  expect((await backAtApp(page, app)).has('code')).toBe(true)
  ignoreRequestsTo(app, faults)
})

test('the page says that it can be closed once it has led to an app with a scheme of its own', async ({
  page,
  app,
  server,
  faults,
}) => {
  const native = { ...(await registerApp(server, 'com.example.native:/callback')), origin: app.origin }
  await page.clock.install()
  await signedIn(page)
  for (const answer of ['Cancel', `Continue to ${native.name}`]) {
    await page.goto(requestTo(native))
    await ready(page)
    const redirected = page.waitForResponse((response) => response.status() === 303)
    await button(page, answer).click()
    expect((await redirected).headers().location).toMatch(/^com\.example\.native:\/callback\?/)
    await page.clock.fastForward(10_000)
    const main = page.getByRole('main')
    await expect(main.getByText('If the app has opened, you can close this page.')).toBeVisible()
    await expect(main.getByRole('button', { name: /^(Continue to .*|Cancel)$/ })).toHaveCount(0)
  }
  for (const fault of faults.splice(0)) expect(fault).toContain('com.example.native')
})

test('what the app would learn and whose session it is leave the page with the session, even if the page stays', async ({
  page,
  app,
  faults,
}) => {
  const username = await signedIn(page)
  await page.goto(requestTo(app))
  await expect(consentTitle(page, app)).toBeVisible()
  await ready(page)
  // No page in place of this one.
  await page.route('**/consent?*', (route) => route.fulfill({ status: 204 }))
  await page.evaluate(() => new BroadcastChannel('latchkey').postMessage({ type: 'signed-out' }))
  await expect(page.getByText("You're signed out.")).toBeVisible()
  await expect(page.getByText(username)).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(0)
  ignoreRequestsTo(app, faults)
})

test('form_post reaches the app by a form, under the policy of its page', async ({ page, app, faults }) => {
  await signedIn(page)
  await page.goto(requestTo(app, { response_mode: 'form_post', prompt: 'none' }))
  await page.waitForURL((url) => url.href.startsWith(app.redirectUri))
  await expect(page).toHaveTitle('POST error')
  ignoreRequestsTo(app, faults)
})

test('whoever has no passkey for an app that requires one adds it after a step-up, signs in with it and is back', async ({
  page,
  app,
  server,
  faults,
}) => {
  const strict = { ...(await registerApp(server, app.redirectUri, '--require-passkey')), origin: app.origin }
  await withoutAutofill(page)
  await VirtualAuthenticator.attach(page)
  await signedIn(page)
  await page.goto(requestTo(strict))
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
  await reauthenticationDialog(page).getByLabel('Password', { exact: true }).fill(PASSWORD)
  await reauthenticationDialog(page).getByRole('button', { name: 'Continue', exact: true }).click()
  // The step-up was by password.
  await expect(page.getByText('You signed in another way. Sign in with a passkey to continue.')).toBeVisible()
  await page.getByRole('link', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL((url) => url.pathname === '/signin')
  await ready(page)
  await expect(page.getByRole('main')).toContainText(`Sign in to continue to ${strict.name}.`)
  await button(page, 'Sign in with a passkey').click()
  await expect(consentTitle(page, strict)).toBeVisible()
  await ready(page)
  await continueButton(page, strict).click()
  expect((await backAtApp(page, app)).has('code')).toBe(true)
  ignoreRequestsTo(app, faults)
})

test('whoever answers after the session was revoked signs in, and the same request goes on', async ({
  page,
  app,
  faults,
}) => {
  const username = await signedIn(page)
  await page.goto(requestTo(app))
  await expect(consentTitle(page, app)).toBeVisible()
  await ready(page)
  expect((await page.request.post('/api/signout')).status()).toBe(204)
  await continueButton(page, app).click()
  await page.getByRole('main').getByRole('link', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/\/signin\?/)
  await ready(page)
  await submitSignIn(page, username)
  await continueToApp(page, app, faults)
})

test('an account outside the groups of an app reads why, in every language and on a phone, whatever its name', async ({
  page,
  app,
  server,
  faults,
}) => {
  const closed = { ...(await registerApp(server, app.redirectUri, '--group', 'family')), origin: app.origin }
  await signedIn(page, randomName().padEnd(64, 'm'))
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(requestTo(closed))
  await expect(page.getByRole('heading', { name: `You can't use ${closed.name} yet` })).toBeVisible()
  await expect(page).toHaveTitle(`You can't use ${closed.name} yet · Latchkey`)
  for (const locale of ['de', 'fr', 'es', 'ja', 'ar']) {
    await page.goto(`${place(page)}&locale=${locale}`)
    await expect(page.locator('html')).toHaveAttribute('lang', locale)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(closed.name)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width, locale).toBeLessThanOrEqual(320)
  }
  await page.goto(`${place(page)}&locale=en`)
  await ready(page)
  await button(page, `Go back to ${closed.name}`).click()
  expect((await backAtApp(page, app)).get('error')).toBe('access_denied')
  ignoreRequestsTo(app, faults)
})
