import type { Page } from 'playwright/test'
import { createRecoveryCodes, signInWithPassword, signUp } from '../../support/accounts'
import { section, statusMessage } from '../../support/browser/account-pages'
import { layoutShifts, watchLayoutShifts } from '../../support/browser/layout-shifts'
import { button, expect, open, test } from '../../support/browser/pages'
import { useSessionOf } from '../../support/browser/step-up'

const entries = (page: Page) => section(page, 'Recent activity').getByRole('listitem')

test('the page of activity lists sign-ins and changes in one order, repeated ones as one line, until the session has ended', async ({
  page,
  client,
  another,
}) => {
  const { username } = await signUp(client)
  for (let time = 0; time < 3; time += 1) await createRecoveryCodes(client)
  for (const browser of ['Firefox', 'Chrome', 'Vivaldi', 'Opera'])
    await signInWithPassword(another({ headers: { 'User-Agent': `${browser}/1 (Windows NT 10.0)` } }), username)
  await useSessionOf(client, page)
  await open(page, '/profile/activity')
  const newest = [/^Signed in .*Opera\s·/, /^Signed in .*Vivaldi\s·/, /^Signed in .*Chrome\s·/]
  await expect(entries(page)).toHaveText([...newest, /^Recovery codes created, 3 times/])
  for (const entry of await entries(page).allTextContents()) expect(entry).toMatch(/(today|yesterday), \d\d:\d\d$/)
  await button(page, 'Show all activity').click()
  const rest = [/^Signed in .*Firefox\s·/, /^Recovery codes created, 3 times/, /^Account created with a password/]
  await expect(entries(page)).toHaveText([...newest, ...rest])
  await expect(entries(page).nth(3)).toBeFocused()
  await expect(page.getByRole('button', { name: /^Show (all|more) activity/ })).toHaveCount(0)

  await open(page, '/profile/activity')
  expect((await client.post('/api/signout')).status).toBe(204)
  await button(page, 'Show all activity').click()
  await expect(statusMessage(page, "You're signed out")).toBeVisible()
  await page.locator('main').getByRole('link', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('/signin?next=%2Fprofile%2Factivity')
})

test('a long history comes a page at a time, and the focus moves to what is new', async ({ page, client, another }) => {
  const { username } = await signUp(client)
  const elsewhere = another({ headers: { 'User-Agent': 'Firefox/1 (Windows NT 10.0)' } })
  await signInWithPassword(elsewhere, username)
  // In turn, so that none repeats the one before.
  for (let time = 0; time < 53; time += 1) await createRecoveryCodes(time % 2 ? client : elsewhere)
  await useSessionOf(client, page)
  await open(page, '/profile/activity')
  await expect(entries(page)).toHaveCount(5)
  const more = button(page, 'Show more activity')
  await more.click()
  // With the two sign-ins, which are older and were shown before.
  await expect(entries(page)).toHaveCount(52)
  await expect(entries(page).nth(3)).toBeFocused()
  await more.click()
  await expect(entries(page)).toHaveCount(55)
  await expect(entries(page).nth(50)).toBeFocused()
  await expect(more).toHaveCount(0)
})

test.describe('a reader in Tokyo', () => {
  test.use({ timezoneId: 'Asia/Tokyo' })

  test('a reader in Tokyo sees times of their own zone from the first page on, nothing shifts, and an invalid zone counts as unknown', async ({
    page,
    client,
    server,
    passkeys: _,
  }) => {
    // With an authenticator, what is suggested stays once the page knows what the browser can do.
    await signUp(client)
    await useSessionOf(client, page)
    await watchLayoutShifts(page)
    const response = await open(page, '/profile/activity')
    expect(await response?.text()).toMatch(/(today|yesterday), \d\d:\d\d UTC/)
    const time = entries(page).first().locator('time')
    const at = new Date((await time.getAttribute('datetime')) ?? '')
    const inTokyo = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Tokyo' })
    await expect(time).toHaveText(new RegExp(`^(today|yesterday), ${inTokyo}$`))
    expect(await layoutShifts(page)).toEqual([])
    // From then on, the server knows.
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'latchkey-zone')
    expect(cookie).toMatchObject({ value: 'Asia/Tokyo', sameSite: 'Lax' })
    const known = await page.request.get(`${server.origin}/profile/activity`)
    expect(await known.text()).toContain(`, ${inTokyo}<`)
    await page.context().addCookies([{ name: 'latchkey-zone', value: 'Moon/Tycho', url: server.origin }])
    const invalid = await page.request.get(`${server.origin}/profile/activity`)
    expect(await invalid.text()).toMatch(/(today|yesterday), \d\d:\d\d UTC/)
  })
})
