import { expect, signedIn, test } from '../../support/browser/pages'

test('an unknown path is a 404 that links to the home page', async ({ page }) => {
  for (const path of ['/nowhere', '/signin/nowhere', '/api-docs']) {
    expect((await page.goto(path))?.status(), path).toBe(404)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  }
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  await page.waitForURL('/')
  await signedIn(page)
  expect((await page.goto('/profile/nowhere'))?.status()).toBe(404)
})
