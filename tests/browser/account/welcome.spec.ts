import type { Page } from 'playwright/test'
import { randomName, signInElsewhere, signUpWithPasskey } from '../../support/accounts'
import { createRecoveryCodesOnPage, statusMessage } from '../../support/browser/account-pages'
import {
  button,
  expect,
  expectProfile,
  open,
  place,
  ready,
  signedIn,
  submitSignUp,
  test,
} from '../../support/browser/pages'
import { useSessionOf } from '../../support/browser/step-up'
import { Client } from '../../support/client'
import type { Server } from '../../support/server/server'
import { executeSql } from '../../support/storage/sql'
import { Authenticator } from '../../support/webauthn/authenticator'

const made = (page: Page) => page.getByRole('main').getByRole('listitem')

/** Makes an account one that was created a day ago. */
const ageByADay = ({ databaseUrl }: Server, username: string) =>
  executeSql(databaseUrl, `UPDATE "User" SET "createdAt" = ${Date.now() - 86_400_000} WHERE "username" = '${username}'`)

test('after signing up with a password, the page says what was made, offers recovery codes and leads on', async ({
  page,
  server,
}) => {
  const username = randomName()
  await open(page, '/signup')
  await submitSignUp(page, username)
  await page.waitForURL('/welcome')
  await expect(page.getByRole('main')).toContainText(username)
  await expect(page.getByRole('heading', { name: "Don't get locked out" })).toBeVisible()
  await expect(button(page, 'Create recovery codes')).toHaveClass(/button-primary/)
  const goOn = page.getByRole('link', { name: 'Continue' })
  await expect(goOn).not.toHaveClass(/button-primary/)
  await expect(made(page).nth(0)).toHaveText('Password set')
  await ready(page)
  // Who reads for long still sees the codes that the page has just created.
  ageByADay(server, username)
  await button(page, 'Create recovery codes').click()
  await expect(button(page, 'Done')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveAccessibleName('Save your recovery codes')
  await expect(page).toHaveTitle('Save your recovery codes · Latchkey')
  // The codes would be gone with the page.
  await expect(page.getByRole('link', { name: 'Continue' })).toBeHidden()
  await expect(page.getByRole('link', { name: 'Sign out' })).toBeHidden()
  await button(page, 'Done').click()
  await button(page, "I've saved them").click()
  await expect(made(page)).toContainText(['Password set', 'Recovery codes saved'])
  await expect(page).toHaveTitle("You're in · Latchkey")
  await expect(button(page, 'Create recovery codes')).toHaveCount(0)
  await expect(goOn).toHaveClass(/button-primary/)
  await goOn.click()
  await expectProfile(page, username)
})

test('the welcome page leads on once the account is a day old, by way of a notice if one waits', async ({
  page,
  server,
}) => {
  const username = await signedIn(page)
  ageByADay(server, username)
  await open(page, '/welcome')
  expect(place(page)).toBe('/profile')
  await signInElsewhere(server, username)
  await page.goto('/welcome?next=%2Fpasskeys')
  expect(place(page)).toBe('/notices?next=%2Fpasskeys')
})

test('a new passkey is announced with who keeps it, and a second one takes one press, and is ticked', async ({
  page,
  server,
  passkeys: _,
}) => {
  const client = new Client(server)
  await signUpWithPasskey(client, new Authenticator(server.origin), { aaguid: 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd' })
  await useSessionOf(client, page)
  await open(page, '/welcome')
  await expect(made(page).nth(0)).toContainText('Passkey saved in Apple Passwords')
  await button(page, 'Add a second passkey').click()
  await expect(made(page)).toContainText(['Passkey saved in Apple Passwords', 'Second passkey added'])
  await expect(button(page, 'Create recovery codes')).toBeVisible()
})

test('the last step of the welcome page leaves its message and the focus on the page', async ({
  page,
  passkeys: _,
}) => {
  await signedIn(page)
  await createRecoveryCodesOnPage(page)
  await open(page, '/welcome')
  await button(page, 'Add a passkey').focus()
  await page.keyboard.press('Enter')
  await expect(made(page)).toContainText(['Password set', 'Passkey created', 'Recovery codes saved'])
  await expect(button(page, 'Add a passkey')).toHaveCount(0)
  const message = statusMessage(page, 'Passkey added.')
  await expect(message).toBeVisible()
  await expect(page.locator('[tabindex="-1"]').filter({ has: message })).toBeFocused()
})
