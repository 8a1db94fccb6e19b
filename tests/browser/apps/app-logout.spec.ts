import type { Page } from 'playwright/test'
import { type App, ignoreRequestsTo, test } from '../../support/browser/app'
import { findViolations } from '../../support/browser/axe'
import { expectToFit } from '../../support/browser/fit'
import { button, expect, open, place, ready, signedIn } from '../../support/browser/pages'

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

test('a logout request of another session asks again, an unknown one says that it has expired, and who stays signed in can still go back and sign out', async ({
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
  // Who names no app is asked, too.
  await page.goto('/signout')
  await expect(page.getByRole('main')).toContainText('This ends your session in this browser.')
  await page.goto(asked)
  await page.getByRole('link', { name: 'Stay signed in' }).click()
  await page.waitForURL((url) => url.pathname === '/profile')
  await page.goBack()
  await ready(page)
  await button(page, 'Sign out').click()
  await backFromLogout(page, app, faults)
})
