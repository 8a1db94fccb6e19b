import type { Page } from 'playwright/test'
import { type App, ignoreRequestsTo, test } from '../../support/browser/app'
import { findViolations } from '../../support/browser/axe'
import { expectToFit } from '../../support/browser/fit'
import { button, expect, open, place, ready, signedIn } from '../../support/browser/pages'
import { registerApp } from '../../support/openid/fixtures'

/** Waits until the browser is at the app after a logout. @returns the query that the app got */
async function backFromLogout(page: Page, app: App, faults: string[]) {
  const address = `${app.origin}/signed-out`
  await page.waitForURL((url) => url.href.startsWith(address))
  ignoreRequestsTo(app, faults)
  return new URL(page.url()).search
}

const logoutOf = (app: App) =>
  `/api/oauth/logout?${new URLSearchParams({
    client_id: app.id,
    post_logout_redirect_uri: `${app.origin}/signed-out`,
    state: 'a state',
  })}`

test('a logout without an ID token asks the person, by keyboard and on a phone in every language, and leads back to the app @promise', async ({
  page,
  app,
  faults,
}) => {
  const username = await signedIn(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(logoutOf(app))
  await ready(page)
  expect(place(page)).toMatch(/^\/signout\?/)
  const main = page.getByRole('main')
  await expect(main).toContainText(`${app.name} wants to sign you out here, too.`)
  await expect(main).toContainText(username)
  expect(await findViolations(page)).toEqual([])
  for (const locale of ['de', 'fr', 'es', 'ja', 'ar', 'en']) {
    await page.goto(`${place(page)}&locale=${locale}`)
    await expect(page.locator('html')).toHaveAttribute('lang', locale)
    await expect(main).toContainText(app.name)
    await expectToFit(page, locale)
  }
  await ready(page)
  await button(page, 'Sign out').focus()
  await page.keyboard.press('Enter')
  expect(await backFromLogout(page, app, faults)).toBe('?state=a+state')
  await open(page, '/signin')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test("a logout to an address that is not registered says so in the app's language, never leads there, and leaves the person's own language", async ({
  page,
  app,
}) => {
  await signedIn(page)
  const query = new URLSearchParams({
    client_id: app.id,
    post_logout_redirect_uri: `${app.origin}/elsewhere`,
    ui_locales: 'de-AT',
  })
  await page.goto(`/api/oauth/logout?${query}`)
  await ready(page)
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(page.getByRole('main')).toContainText(
    `Die Adresse, die ${app.name} dafür nennt, ist hier nicht registriert.`,
  )
  await button(page, 'Abmelden').click()
  await page.waitForURL((url) => url.pathname === '/signin')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('main')).toContainText("You're signed out.")
})

test('a person who stays signed in goes to the profile, and can still go back and sign out', async ({
  page,
  app,
  faults,
}) => {
  await signedIn(page)
  await page.goto(logoutOf(app))
  await ready(page)
  await page.getByRole('link', { name: 'Stay signed in' }).click()
  await page.waitForURL((url) => url.pathname === '/profile')
  await page.goBack()
  await ready(page)
  await button(page, 'Sign out').click()
  await backFromLogout(page, app, faults)
})

test('the logout page says that it can be closed once a logout has led to an app with a scheme of its own', async ({
  page,
  app,
  server,
  faults,
}) => {
  const native = await registerApp(server, app.redirectUri, '--sign-out-uri', 'com.example.native:/signed-out')
  await page.clock.install()
  await signedIn(page)
  const query = new URLSearchParams({
    client_id: native.id,
    post_logout_redirect_uri: 'com.example.native:/signed-out',
  })
  await page.goto(`/api/oauth/logout?${query}`)
  await ready(page)
  await button(page, 'Sign out').click()
  const main = page.getByRole('main')
  await expect(main).toBeVisible()
  await page.clock.fastForward(10_000)
  await expect(main.getByText('If the app has opened, you can close this page.')).toBeVisible()
  await expect(button(page, 'Sign out')).toHaveCount(0)
  for (const fault of faults.splice(0)) expect(fault).toContain('com.example.native')
})

test('a logout that names no app asks, too, and the sign-in page says that the person is signed out', async ({
  page,
}) => {
  await signedIn(page)
  await page.goto('/signout')
  await ready(page)
  await expect(page.getByRole('main')).toContainText('This ends your session in this browser.')
  await button(page, 'Sign out').click()
  await page.waitForURL((url) => url.pathname === '/signin')
  await expect(page.getByRole('main').getByText("You're signed out.", { exact: false })).toBeVisible()
})

test('a logout request of another session asks again, and an unknown one says that it has expired', async ({
  page,
  app,
  faults,
}) => {
  await signedIn(page)
  await page.goto(logoutOf(app))
  const username = await signedIn(page)
  await page.reload()
  await expect(page.getByRole('main')).toContainText(username)
  await expect(page).toHaveTitle('Sign out of Latchkey? · Latchkey')
  const asked = place(page)
  await page.goto('/signout?request=none')
  await expect(page.getByText('This request has expired.', { exact: false })).toBeVisible()
  await expect(page).toHaveTitle("You're still signed in · Latchkey")
  await expect(page.getByRole('link', { name: 'Go to the home page' })).toHaveAttribute('href', '/')
  await page.context().clearCookies()
  await page.goto(asked)
  await backFromLogout(page, app, faults)
})
