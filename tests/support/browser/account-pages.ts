import type { Locator, Page } from 'playwright/test'
import { PASSWORD, randomName, signUp } from '../accounts'
import type { Client } from '../client'
import type { Server } from '../server/server'
import { asLaterSession } from '../tokens/tokens'
import { button, expect, expectProfile, open, submitSignIn } from './pages'
import { postAs } from './step-up'

/** The part of a page with this heading: a region, or one setting. */
export const section = (page: Page, name: string) =>
  page.getByRole('region', { name, exact: true }).or(page.getByRole('group', { name, exact: true }))

/** A button of the only passkey on the page. Its name ends with the passkey's. */
export const passkeyButton = (page: Page, name: 'Rename' | 'Remove') =>
  page.getByRole('main').getByRole('button', { name: new RegExp(`^${name} .`) })

export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

export const reauthenticationDialog = (page: Page) => dialog(page, "Confirm it's you")

/** A button of the dialog that asks for a credential. */
export const reauthenticationButton = (page: Page, name: string) =>
  reauthenticationDialog(page).getByRole('button', { name, exact: true })

/** Removes the first passkey of a list. */
export async function removePasskey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Remove Passkey' }).first().click()
  await dialog(page, /^Remove/)
    .getByRole('button', { name: 'Remove' })
    .click()
}

/** The titles of the steps on /secure. */
export const secureSteps = (page: Page) => page.locator('main ol > li > section > h2')

export const notices = (page: Page) => section(page, 'Was this you?')

/** Recognizes all that the notices on the profile ask about, one by one. */
export async function answerNotices(page: Page) {
  await open(page, '/profile')
  const own = notices(page).getByRole('button', { name: 'It was me' })
  for (let left = await own.count(); left > 0; left -= 1) {
    await expect(own).toHaveCount(left)
    await own.first().click()
  }
  await expect(notices(page)).toHaveCount(0)
}

/** Creates an account by its API, and signs this browser in to it on the sign-in page. */
export async function signInTo(client: Client, page: Page, server: Server) {
  const account = await signUp(client)
  await asLaterSession(client, server)
  await open(page, '/signin')
  await submitSignIn(page, account.username)
  await page.waitForURL('/profile')
  await expectProfile(page, account.username)
  return account
}

/** Gives the password that the dialog asks for. */
export async function reauthenticate(page: Page) {
  await reauthenticationDialog(page).getByLabel('Password', { exact: true }).fill(PASSWORD)
  await reauthenticationButton(page, 'Continue').click()
}

/** Asks for a new username on the open profile. @returns the username */
export async function submitUsername(page: Page, username = randomName()) {
  await button(page, 'Change username').click()
  await page.getByLabel('New username').fill(username)
  await button(page, 'Save').click()
  return username
}

/** A visible message that is not an error. */
export const statusMessage = (where: Page | Locator, words: string | RegExp) =>
  where.locator('[data-tone="success"], [data-tone="info"]').filter({ hasText: words })

/** A visible error message. */
export const errorMessage = (where: Page | Locator, words: string | RegExp) =>
  where.locator('[data-tone="danger"]').filter({ hasText: words })

/** Adds a passkey on the open page of passkeys, and leaves it the name that it got. */
export async function addPasskey(page: Page) {
  await button(page, 'Add a passkey').click()
  await expect(page.getByLabel('Passkey name')).toBeFocused()
  await button(page, 'Cancel').click()
}

/** Creates recovery codes for the signed-in account. */
export async function createRecoveryCodesOnPage(page: Page): Promise<string[]> {
  const answer = await postAs(page, '/api/i/recovery-codes')
  expect(answer.status()).toBe(201)
  return (await answer.json()).codes
}

/** The signed-in account, from the server. */
export async function account(page: Page) {
  const answer = await page.request.post('/api/i')
  expect(answer.status()).toBe(200)
  return answer.json()
}
