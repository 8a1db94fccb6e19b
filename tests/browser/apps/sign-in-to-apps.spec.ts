import { VirtualAuthenticator } from '../../passkey-fixture/virtual-authenticator'
import { createRecoveryCodes, randomName, signInElsewhere } from '../../support/accounts'
import { statusMessage } from '../../support/browser/account-pages'
import {
  backAtApp,
  consentTitle,
  continueButton,
  continueToApp,
  ignoreRequestsTo,
  requestTo,
  test,
} from '../../support/browser/app'
import {
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
import { registerApp } from '../../support/openid/fixtures'

test('a new account goes on to the app after the welcome page, and Back leads to a page that says that the request was answered', async ({
  page,
  app,
  faults,
}) => {
  await page.goto(requestTo(app))
  await ready(page)
  // What stands for the app without a picture.
  await expect(page.locator('main svg text')).toHaveText('A')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.waitForURL((url) => url.pathname === '/signup')
  await open(page, place(page))
  await expect(page.getByRole('main')).toContainText(`Create an account to continue to ${app.name}.`)
  await submitSignUp(page)
  await expect(page.getByRole('heading', { name: "Don't get locked out" })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Go to your profile' })).toHaveCount(0)
  await page.getByRole('link', { name: `Continue to ${app.name}` }).click()
  await expect(consentTitle(page, app)).toBeVisible()
  await expect(page).toHaveTitle(`Sign in to ${app.name} · Latchkey`)
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
  await continueButton(page).click()
  await backAtApp(page, app)
  await page.context().clearCookies()
  await page.goto(requestTo(app, { login_hint: 'ada' }))
  await ready(page)
  await expect(usernameField(page)).toHaveValue('ada')
  await button(page, 'Sign in with a passkey').click()
  expect((await backAtApp(page, app)).has('code')).toBe(true)
  ignoreRequestsTo(app, faults)
})

test('prompt=login shows the sign-in page to a signed-in person, and a reload does not go round it', async ({
  page,
  app,
  faults,
}) => {
  const username = await signedIn(page)
  // So does an app that wants a new credential while it asks to sign up, without a link for that.
  await page.goto(requestTo(app, { prompt: 'create', max_age: '0' }))
  await ready(page)
  expect(place(page)).toMatch(/^\/signin\?/)
  await expect(page.getByRole('link', { name: 'Create an account' })).toHaveCount(0)
  await page.goto(requestTo(app, { prompt: 'login' }))
  await ready(page)
  expect(place(page)).toMatch(/^\/signin\?/)
  await page.reload()
  await ready(page)
  expect(place(page)).toMatch(/^\/signin\?/)
  await submitSignIn(page, username)
  await continueToApp(page, app, faults)
})

test('signing in to an app stops once at a waiting notice, and goes on with one press', async ({
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
  await continueButton(page).click()
  expect((await backAtApp(page, app)).has('code')).toBe(true)
  // Nothing is shown to an app that wants no page, and who has answered is not asked again.
  await page.goto(requestTo(app, { prompt: 'none' }))
  expect((await backAtApp(page, app)).has('code')).toBe(true)
  await page.goto(requestTo(app, { prompt: 'login' }))
  await ready(page)
  await submitSignIn(page, username)
  await expect(page.getByRole('heading', { name: 'Before you continue' })).toBeVisible()
  await ready(page)
  // The sign-in elsewhere is a notice, too, unless this browser's own in the same two seconds accounts for it.
  const own = page.getByRole('main').getByRole('button', { name: /it was me$/i })
  for (let left = await own.count(); left > 0; left -= 1) {
    await expect(own).toHaveCount(left)
    await own.first().click()
  }
  expect((await backAtApp(page, app)).has('code')).toBe(true)
  await page.goto(requestTo(app, { prompt: 'login' }))
  await ready(page)
  await submitSignIn(page, username)
  expect((await backAtApp(page, app)).has('code')).toBe(true)
  ignoreRequestsTo(app, faults)
})

test('the sign-in page says that it can be closed once it has led to an app with a scheme of its own, and still works', async ({
  page,
  app,
  server,
  faults,
}) => {
  const native = { ...(await registerApp(server, 'com.example.signed-in:/callback')), origin: app.origin }
  await page.clock.install()
  const username = await signedIn(page)
  const redirected = () => page.waitForResponse((response) => response.status() === 303)
  await page.goto(requestTo(native))
  await ready(page)
  await Promise.all([redirected(), continueButton(page).click()])
  await page.context().clearCookies()
  await page.goto(requestTo(native))
  await ready(page)
  const left = redirected()
  await submitSignIn(page, username)
  expect((await left).headers().location).toMatch(/^com\.example\.signed-in:\/callback\?/)
  await page.clock.fastForward(10_000)
  await expect(statusMessage(page, 'If the app has opened, you can close this page.')).toBeVisible()
  await expect(button(page, 'Sign in')).toBeEnabled()
  for (const fault of faults.splice(0)) expect(fault).toContain('com.example.signed-in')
})
