import type { Page } from 'playwright/test'
import { section } from '../support/account-pages'
import { createRecoveryCodes, register, signUp } from '../support/accounts'
import { button, expect, open, test } from '../support/pages'

const entries = (page: Page, list: string) => section(page, list).getByRole('listitem')

test('the profile lists sign-ins and changes apart, with their browser and time', async ({
  page,
  client,
  authenticator,
}) => {
  await signUp(client)
  await register(client, authenticator)
  await createRecoveryCodes(client)
  await page.context().addCookies([...client.jar].map(([name, value]) => ({ name, value, url: client.server.origin })))
  await open(page, '/profile')
  await expect(entries(page, 'Sign-ins')).toHaveText([/^Account created with a password/])
  await expect(entries(page, 'Changes')).toHaveText([/^Recovery codes created/, /^Passkey added/])
  for (const told of await entries(page, 'Changes').allTextContents())
    expect(told).toMatch(/\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d\sUTC$/)
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0)
})

test('the profile lists five changes, and more of them a page at a time', async ({ page, client }) => {
  await signUp(client)
  for (let time = 0; time < 53; time += 1) await createRecoveryCodes(client)
  await page.context().addCookies([...client.jar].map(([name, value]) => ({ name, value, url: client.server.origin })))
  await open(page, '/profile')
  await expect(entries(page, 'Changes')).toHaveCount(5)
  const more = button(page, 'Show more changes')
  await more.click()
  await expect(entries(page, 'Changes')).toHaveCount(50)
  await expect(entries(page, 'Changes').nth(5)).toBeFocused()
  await more.click()
  await expect(entries(page, 'Changes')).toHaveCount(53)
  await expect(entries(page, 'Changes').nth(50)).toBeFocused()
  await expect(more).toHaveCount(0)
  await expect(entries(page, 'Sign-ins')).toHaveCount(1)
})
