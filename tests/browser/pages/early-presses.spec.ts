import type { Page } from 'playwright/test'
import { PASSWORD } from '../../support/accounts'
import {
  button,
  expect,
  expectProfile,
  passwordField,
  place,
  signedIn,
  signedOut,
  test,
  usernameField,
} from '../../support/browser/pages'

test("a button pressed before the page's scripts are there does its work once they are", async ({ page }) => {
  await signedIn(page)
  const scripts = await openWithoutScripts(page, '/profile')
  await page.locator('header summary').click()
  await button(page, 'Sign out').click()
  expect(scripts.released).toBe(false)
  scripts.release()
  await expect(page).toHaveURL('/signin')
  await expect(page.getByText("You're signed out.")).toBeVisible()
})

test("a form sent before the page's scripts are there is sent once, by them, as it was filled in", async ({ page }) => {
  const username = await signedOut(page)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
  })
  const scripts = await openWithoutScripts(page, '/signin')
  await usernameField(page).fill(username)
  await passwordField(page).fill(PASSWORD)
  await button(page, 'Use a recovery code').click()
  await passwordField(page).press('Enter')
  await passwordField(page).press('Enter')
  expect([place(page), ...sent]).toEqual(['/signin'])
  scripts.release()
  await expectProfile(page, username)
  expect(sent.filter((path) => path === '/api/signin')).toHaveLength(1)
})

test("a username typed before the page's scripts are there is kept in the view for a recovery code", async ({
  page,
}) => {
  const username = await signedOut(page)
  const scripts = await openWithoutScripts(page, '/signin')
  await usernameField(page).fill(username)
  await button(page, 'Use a recovery code').click()
  expect(scripts.released).toBe(false)
  scripts.release()
  await expect(page.getByLabel('Recovery code')).toBeVisible()
  await expect(usernameField(page)).toHaveValue(username)
  await expect(page.getByLabel('Recovery code')).toBeFocused()
})

test("the language can be chosen before the page's scripts are there", async ({ page }) => {
  const scripts = await openWithoutScripts(page, '/signin')
  await page.getByText('Language: English').click()
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Anmelden')
  expect(scripts.released).toBe(false)
})

/** Opens a page, and holds back its scripts until they are released. */
async function openWithoutScripts(page: Page, path: string) {
  const scripts = { released: false, release: () => {} }
  const release = new Promise<void>((resolve) => {
    scripts.release = () => {
      scripts.released = true
      resolve()
    }
  })
  await page.route('**/_next/**/*.js', async (route) => {
    await release
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  return scripts
}
