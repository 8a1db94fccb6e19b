import type { Page } from 'playwright/test'
import { VirtualAuthenticator } from '../passkey-fixture/virtual-authenticator'
import { createRecoveryCodes, section } from '../support/account-pages'
import { PASSWORD, signInWithPassword } from '../support/accounts'
import { button, expect, open, signedIn, signUpWithPasskey, test } from '../support/pages'
import { postAs } from '../support/step-up'

const entries = (page: Page) => section(page, 'Recent activity').getByRole('listitem')

test('the profile lists account events with their browser and time', async ({ page, client }) => {
  await VirtualAuthenticator.attach(page)
  const username = await signUpWithPasskey(page)
  await createRecoveryCodes(page)
  await postAs(page, '/api/i/password', { password: PASSWORD })
  await signInWithPassword(client, username)
  await open(page, '/profile')
  await expect(entries(page)).toHaveCount(4)
  const told = await entries(page).allTextContents()
  for (const [index, words] of [
    'Signed in with a password',
    'Password changed',
    'Recovery codes created',
    'Account created with a passkey',
  ].entries()) {
    expect(told[index]).toContain(words)
    expect(told[index]).toMatch(/\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d\sUTC$/)
  }
  expect(told[3]).toContain('Chrome on Linux')
})

test('the profile lists the ten latest events only', async ({ page }) => {
  await signedIn(page)
  for (let i = 0; i < 12; i++) await createRecoveryCodes(page)
  await open(page, '/profile')
  await expect(entries(page)).toHaveCount(10)
})

test('the profile warns of failed sign-in attempts after the next sign-in, and not after the one that follows', async ({
  page,
  client,
}) => {
  const username = await signedIn(page)
  const cookies = await page.context().cookies()
  for (let i = 0; i < 7; i++) await signInWithPassword(client, username, 'not the password')
  // The browser that signed up is known, so the failures of others do not lock it out.
  await page.context().addCookies(cookies)
  expect((await page.request.post('/api/signin', { data: { username, password: PASSWORD } })).status()).toBe(200)
  await expect(async () => {
    await open(page, '/profile')
    await expect(entries(page).filter({ hasText: '5 failed sign-in attempts' })).toHaveCount(1, { timeout: 500 })
    await expect(entries(page).filter({ hasText: '2 sign-in attempts blocked' })).toHaveCount(1, {
      timeout: 500,
    })
  }).toPass()
  await expect(page.getByText('7 failed sign-in attempts')).toBeVisible()
  await page.getByRole('link', { name: 'change your password' }).click()
  await expect(page.getByLabel('Current password', { exact: true })).toBeFocused()
  await page.request.post('/api/signin', { data: { username, password: PASSWORD } })
  await open(page, '/profile')
  await expect(button(page, 'Sign out')).toBeVisible()
  await expect(page.getByText('7 failed sign-in attempts')).toHaveCount(0)
})
