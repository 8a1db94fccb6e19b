import type { Locator, Page } from 'playwright/test'
import { expect } from './pages'
import type { Server } from './server'
import { resign } from './tokens'

/** The part of a page under a heading. */
export const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

/** The dialog that asks for a fresh sign-in in place. */
export const reauthenticationDialog = (page: Page) => dialog(page, "Confirm it's you")

/** What a part of a page, or the page, says of something that was done. */
export const statusMessage = (where: Page | Locator, words: string | RegExp) =>
  where.locator('[data-tone="success"], [data-tone="info"]').filter({ hasText: words })

/** What it says of something that could not be done. */
export const errorMessage = (where: Page | Locator, words: string | RegExp) =>
  where.locator('[data-tone="danger"]').filter({ hasText: words })

/** Makes the browser's session older than sensitive changes allow; it goes on in every other way. */
export async function ageSession(page: Page, server: Server) {
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'session')
  if (!cookie) throw new Error('This browser has no session')
  const iat = Math.floor(Date.now() / 1000) - 601
  const value = await resign(cookie.value, server.secret, { claims: { iat } })
  await page.context().addCookies([{ ...cookie, value }])
}

/** Has the server make recovery codes for whoever is signed in here. */
export async function createRecoveryCodes(page: Page): Promise<string[]> {
  const answer = await page.request.post('/api/i/recovery-codes')
  expect(answer.status()).toBe(201)
  return (await answer.json()).codes
}

/** Asks the server who is signed in here. */
export async function account(page: Page) {
  const answer = await page.request.post('/api/i')
  expect(answer.status()).toBe(200)
  return answer.json()
}
