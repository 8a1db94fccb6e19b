import { button, expect, open, signedIn, test } from '../../support/browser/pages'

test('a name that contains markup is shown as text @promise', async ({ page, passkeys: _ }) => {
  await signedIn(page)
  await open(page, '/passkeys')
  await button(page, 'Add a passkey').click()
  const name = '<img id=injected src=x><script>document.title=1</script>&lt;'
  await page.getByLabel('Passkey name').fill(name)
  await button(page, 'Save').click()
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  await expect(page.locator('#injected')).toHaveCount(0)
  expect(await page.title()).not.toBe('1')
})
