import { expect, open, ready, signedIn, signedOut, submitSignIn, test } from '../support/pages'

test('a password manager leads to the form that changes the password', async ({ page }) => {
  await signedIn(page)
  await open(page, '/.well-known/change-password')
  await expect(page.getByLabel('Current password', { exact: true })).toBeFocused()
})

test('it leads there through signing in, too', async ({ page }) => {
  const username = await signedOut(page)
  await open(page, '/.well-known/change-password')
  await submitSignIn(page, username)
  await page.waitForURL('/profile#password')
  await ready(page)
  await expect(page.getByLabel('Current password', { exact: true })).toBeVisible()
})
