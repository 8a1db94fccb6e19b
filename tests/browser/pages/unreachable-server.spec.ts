import {
  alert,
  button,
  expect,
  expectProfile,
  open,
  place,
  signedIn,
  signedOut,
  submitSignIn,
  test,
  usernameField,
} from '../../support/browser/pages'

test('an unreachable or failing server is explained, and one that hangs counts as unreachable once even a busy one would have answered', async ({
  page,
  faults,
}) => {
  const username = await signedOut(page)
  await page.clock.install()
  await open(page, '/signin')
  await page.route('**/api/signin', (route) => route.abort('connectionrefused'))
  await submitSignIn(page, username)
  await expect(alert(page)).toContainText("Can't reach the server")
  await page.unroute('**/api/signin')
  await page.route('**/api/signin', (route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }))
  await button(page, 'Sign in').click()
  await expect(alert(page)).toContainText('Something went wrong on our end')
  await page.unroute('**/api/signin')
  // Without an answer.
  await page.route('**/api/signin', () => undefined)
  await Promise.all([page.waitForRequest('**/api/signin'), submitSignIn(page, username)])
  await page.clock.fastForward(30_000)
  await expect(button(page, 'Sign in')).toHaveAttribute('aria-busy', 'true')
  await page.clock.fastForward(20_000)
  await expect(alert(page)).toContainText("Can't reach the server")
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

test('an unknown path is a 404 that links to the home page, which leads to signing up and in', async ({ page }) => {
  for (const path of ['/signin/nowhere', '/api-docs', '/nowhere']) {
    expect((await page.goto(path))?.status(), path).toBe(404)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  }
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  await page.waitForURL('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Your Latchkey account' })).toBeVisible()
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.waitForURL('/signup')
  await page.getByRole('link', { name: 'Latchkey' }).click()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.waitForURL('/signin')
  await signedIn(page)
  expect((await page.goto('/profile/nowhere'))?.status()).toBe(404)
})
