import { expect, test } from '../../support/browser/pages'

test('a customer signs up with a passkey and comes back', async ({ page, passkeys }) => {
  await page.goto('/signup', { waitUntil: 'networkidle' })
  await page.getByLabel('Username').fill(`ada-${Date.now()}`)
  await page.getByRole('button', { name: 'Create account with a passkey' }).click()
  const { id } = await passkeys.events.waitFor('added')
  await page.waitForURL('/welcome')

  await page.context().clearCookies()
  // The passkey answers the autofill offer of this page by itself.
  await page.goto('/signin')
  await page.waitForURL('/profile')
  expect(await passkeys.events.waitFor('asserted')).toMatchObject({ id })
})

test('a customer who cancels the prompt can try again', async ({ page, passkeys }) => {
  await page.goto('/signup', { waitUntil: 'networkidle' })
  await page.getByLabel('Username').fill(`ada-${Date.now()}`)
  const create = page.getByRole('button', { name: 'Create account with a passkey' })
  await passkeys.cancelling(async () => {
    await create.click()
    await expect(page.getByText('open a passkey prompt')).toBeVisible()
  })
  await create.click()
  await page.waitForURL('/welcome')
})

test.describe('with another authenticator', () => {
  test.use({ authenticatorOptions: { kind: 'phone', backup: 'synced' } })

  test('a phone that syncs its passkeys creates an account', async ({ page, passkeys }) => {
    await page.goto('/signup', { waitUntil: 'networkidle' })
    await page.getByLabel('Username').fill(`ada-${Date.now()}`)
    await page.getByRole('button', { name: 'Create account with a passkey' }).click()
    await page.waitForURL('/welcome')
    expect(await passkeys.credentials()).toMatchObject([{ backupState: true }])
  })
})
