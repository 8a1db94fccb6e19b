import { expect, open, ready, signedOut, submitSignIn, test } from '../../support/browser/pages'

test('/.well-known/change-password opens the form after signing in', async ({ page }) => {
  const username = await signedOut(page)
  await open(page, '/.well-known/change-password')
  await submitSignIn(page, username)
  await page.waitForURL('/profile#password')
  await ready(page)
  await expect(page.getByLabel('Current password', { exact: true })).toBeVisible()
})
