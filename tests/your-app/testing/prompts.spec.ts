import { expect, test } from 'latchkey-kit/playwright'

test('who closes the prompt can try again', async ({ page, person, passkey }) => {
  await person({ displayName: 'Grace Hopper' })
  await page.goto('/notes') // leads to the sign-in
  await passkey.cancel()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByText('No passkey was used')).toBeVisible()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByText('Notes of Grace Hopper')).toBeVisible()
})

test('the sign-in offers the passkey in autofill', async ({ page, person, passkey }) => {
  await person({ displayName: 'Grace Hopper' })
  await page.goto('/notes')
  await passkey.autofill()
  await expect(page.getByText('Notes of Grace Hopper')).toBeVisible()
})

test('somebody new signs up on the way to the notes', async ({ page, passkey }) => {
  await page.goto('/notes')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByLabel('Username').fill(`grace-${Date.now()}`)
  const answer = await passkey.hold()
  await page.getByRole('button', { name: 'Create account with a passkey' }).click()
  await expect(page.getByRole('button', { name: 'Waiting for your device' })).toBeVisible()
  await answer()
  await expect(page.getByRole('heading', { name: "You're in" })).toBeVisible()
})
