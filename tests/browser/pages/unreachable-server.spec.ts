import { randomName } from '../../support/accounts'
import {
  alert,
  button,
  expect,
  expectProfile,
  open,
  place,
  signedOut,
  submitSignIn,
  test,
  usernameField,
} from '../../support/browser/pages'

test('a request that hangs may take as long as a busy server, and then the server counts as unreachable', async ({
  page,
}) => {
  await page.clock.install()
  await open(page, '/signin')
  // Without an answer.
  await page.route('**/api/signin', () => undefined)
  await Promise.all([page.waitForRequest('**/api/signin'), submitSignIn(page, randomName())])
  await page.clock.fastForward(30_000)
  await expect(button(page, 'Sign in')).toHaveAttribute('aria-busy', 'true')
  await page.clock.fastForward(20_000)
  await expect(alert(page)).toContainText("Can't reach the server")
})

test('an unreachable or failing server is explained', async ({ page, faults }) => {
  const username = await signedOut(page)
  await open(page, '/signin')
  await page.route('**/api/signin', (route) => route.abort('connectionrefused'))
  await submitSignIn(page, username)
  await expect(alert(page)).toContainText("Can't reach the server")
  await page.unroute('**/api/signin')
  await page.route('**/api/signin', (route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }))
  await button(page, 'Sign in').click()
  await expect(alert(page)).toContainText('Something went wrong on our end')
  await page.unroute('**/api/signin')
  await submitSignIn(page, username)
  await expectProfile(page, username)
  expect(faults.splice(0)).toEqual([expect.stringContaining('ERR_CONNECTION'), expect.stringContaining('502')])
})

test('a press for the recovery form that cannot reach the server says so, keeps the typed name, and works when repeated', async ({
  page,
  faults,
}) => {
  await open(page, '/signin')
  await usernameField(page).fill('ada')
  await page.route('**/*', (route) => route.abort('connectionrefused'))
  await button(page, 'Use a recovery code').click()
  await expect(alert(page)).toContainText("Can't reach the server")
  expect(place(page)).toBe('/signin')
  await page.unroute('**/*')
  await button(page, 'Use a recovery code').click()
  await expect(page.getByLabel('Recovery code')).toBeFocused()
  await expect(usernameField(page)).toHaveValue('ada')
  await expect(alert(page)).toBeEmpty()
  for (const fault of faults.splice(0)) expect(fault).toContain('ERR_CONNECTION_REFUSED')
})

test('a sign-in page whose scripts an update has removed says that it is out of date, and keeps what was typed', async ({
  page,
  passkeys: _,
}) => {
  await open(page, '/signin')
  const loaded = await page.evaluate(() => [...document.scripts].map(({ src }) => src))
  await page.route('**/_next/static/**', (route) =>
    loaded.includes(route.request().url()) ? route.continue() : route.fulfill({ status: 404, body: 'Not Found' }),
  )
  for (const press of [
    () => submitSignIn(page, 'ada'),
    () => button(page, 'Sign in with a passkey').click(),
    () => button(page, 'Use a recovery code').click(),
  ]) {
    await press()
    await expect(alert(page)).toContainText('This page is out of date')
    await expect(alert(page)).toContainText('Reload the page and try again.')
    await expect(usernameField(page)).toHaveValue('ada')
  }
})
