import { expect, test } from 'latchkey-kit/playwright'

test.use({ as: 'ada' })
test('Ada sees her notes', async ({ page }) => {
  await page.goto('/notes')
  await expect(page.getByText('Notes of Ada Lovelace')).toBeVisible()
})
