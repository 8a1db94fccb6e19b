import { expect, test } from 'latchkey-kit/playwright'

test('staff open the page of staff', async ({ page, person, signIn, signInTo }) => {
  await signIn(await person({ displayName: 'Grace Hopper', groups: ['staff'] }))
  await signInTo('/notes')
  await page.goto('/staff')
  await expect(page.getByText('Notes of Grace Hopper')).toBeVisible()
})

test('others do not', async ({ page, sharedPerson, signIn }) => {
  await signIn(sharedPerson)
  const answer = await page.goto('/staff')
  expect(answer?.status()).toBe(403)
})

test.describe('as somebody else', () => {
  test.use({ as: 'ben' })

  test('Ben sees his notes, and then Ada hers', async ({ page, signIn }) => {
    await page.goto('/notes')
    await expect(page.getByText('Notes of ben')).toBeVisible()
    await page.context().clearCookies()
    await signIn('ada')
    await page.goto('/notes')
    await expect(page.getByText('Notes of Ada Lovelace')).toBeVisible()
  })
})
