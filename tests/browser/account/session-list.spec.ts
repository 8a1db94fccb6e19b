import type { Page } from 'playwright/test'
import { signInWithPassword } from '../../support/accounts'
import { section, statusMessage } from '../../support/browser/account-pages'
import { button, expect, open, signedIn, test } from '../../support/browser/pages'
import { expectSignedOut } from '../../support/expectations'
import { executeSql } from '../../support/storage/sql'

const card = (page: Page) => section(page, "Where you're signed in")
const rows = (page: Page) => card(page).getByRole('listitem')

const firefox = { 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0' }

test('the list of devices has this one first, with its browser, its credential, its time and the day that it was last used', async ({
  page,
  another,
  server,
}) => {
  const username = await signedIn(page)
  await signInWithPassword(another({ headers: firefox }), username)
  await open(page, '/profile/devices')
  await expect(rows(page)).toHaveCount(2)
  const facts = /Signed in with a password · (today|yesterday), \d\d:\d\d/
  await expect(rows(page).first()).toContainText('This device')
  await expect(rows(page).first()).toContainText(facts)
  await expect(rows(page).nth(1)).toContainText('Firefox · Windows')
  await expect(rows(page).nth(1)).toContainText(facts)
  // The sign-in says that already.
  await expect(rows(page).nth(1)).not.toContainText('Active')
  await expect(card(page).getByText('This device')).toHaveCount(1)

  // Used on a later day than its sign-in. Midnight may have come since that.
  const own = `(SELECT "id" FROM "User" WHERE "username" = '${username}')`
  executeSql(
    server.databaseUrl,
    `UPDATE "Session" SET "openedAt" = "openedAt" - ${2 * 86_400_000} WHERE "userId" = ${own}`,
  )
  await open(page, '/profile/devices')
  const format = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
  const yesterday = new Date(Date.now() - 86_400_000).toLocaleDateString('en-GB', format)
  await expect(rows(page).nth(1)).toContainText(new RegExp(`Active (today|on ${yesterday})`))
})

test('a session can be signed out from another browser, also one that has ended meanwhile', async ({
  page,
  another,
}) => {
  const username = await signedIn(page)
  const lost = another({ headers: firefox })
  for (const hasEnded of [false, true]) {
    await signInWithPassword(lost, username)
    await open(page, '/profile/devices')
    if (hasEnded) await lost.post('/api/signout')
    await button(page, 'Sign out Firefox · Windows').click()
    await expect(statusMessage(card(page), 'Firefox · Windows has been signed out.')).toBeVisible()
    await expect(rows(page)).toHaveCount(1)
    await expectSignedOut(lost)
  }
})

test('a long list shows a few browsers first and the rest on request, and one press signs out all sign-ins of a browser', async ({
  page,
  another,
}) => {
  const username = await signedIn(page)
  // Twice each: one row for the browsers of a name, whose button ends both.
  for (const browser of [
    'Firefox',
    'Chrome',
    'Vivaldi',
    'Opera',
    'Edge',
    'Firefox',
    'Chrome',
    'Vivaldi',
    'Opera',
    'Edge',
  ])
    await signInWithPassword(another({ headers: { 'User-Agent': `${browser}/1 (Windows NT 10.0)` } }), username)
  await open(page, '/profile/devices')
  const shown = rows(page).filter({ visible: true })
  await expect(shown).toHaveCount(4)
  await button(page, 'Show all 6').click()
  await expect(shown).toHaveCount(6)
  await expect(shown.nth(4)).toBeFocused()
  await expect(shown.last()).toContainText('and 1 earlier sign-in')
  await shown.last().getByRole('button').click()
  await expect(shown).toHaveCount(5)
  const { sessions } = await (await page.request.post('/api/i/sessions')).json()
  expect(sessions).toHaveLength(9)
})
