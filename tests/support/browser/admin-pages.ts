import type { Page } from 'playwright/test'
import { accountsJson } from '../operator/accounts-command'
import type { Server } from '../server/server'
import { findViolations } from './axe'
import { expectToFit } from './fit'
import { button, expect, open, signUpWithPasskeyOnPage, withoutAutofill } from './pages'

/** Signs the browser in as a new administrator, whose passkey `passkeys` holds; ends on the profile. */
export async function signInAsAdministrator(page: Page, server: Server) {
  await withoutAutofill(page)
  const username = await signUpWithPasskeyOnPage(page)
  const { id } = await accountsJson(server, 'show', username)
  await accountsJson(server, 'group', 'add', 'admins', `id:${id}`)
  // Joining has ended the session.
  await page.context().clearCookies({ name: /session/ })
  await open(page, '/signin')
  await button(page, 'Sign in with a passkey').click()
  await page.waitForURL('/profile')
  return { id, username }
}

/** Expects that all of the page has room on a desk and then on a phone, which stays, and that axe finds nothing there. */
export async function expectFine(page: Page, state: string) {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await expectToFit(page, `${state}, ${width} pixels wide`)
  }
  expect(await findViolations(page), state).toEqual([])
}

/** Opens the question behind a button, and answers it. */
export async function confirm(page: Page, name: string, answer = name) {
  await button(page, name).click()
  await page.getByRole('dialog').getByRole('button', { name: answer, exact: true }).click()
}

/**
 * Expects the open page to fit the narrowest phone, with text of 200 %, from left to right and from right to left; ends in
 * English.
 */
export async function expectToFitNarrow(page: Page, state: string) {
  const before = page.viewportSize()
  for (const locale of ['de', 'ar']) {
    await page.goto(`${new URL(page.url()).pathname}?locale=${locale}`)
    for (const [width, text] of [
      [320, '100%'],
      [375, '200%'],
    ] as const) {
      await page.setViewportSize({ width, height: 640 })
      await page.evaluate((text) => {
        document.documentElement.style.fontSize = text
      }, text)
      await expectToFit(page, `${state}, ${locale}, ${width} pixels wide with text of ${text}`)
    }
  }
  await page.goto(`${new URL(page.url()).pathname}?locale=en`)
  if (before) await page.setViewportSize(before)
}
