import { readFileSync } from 'node:fs'
import type { Page, Route } from 'playwright/test'
import { wordsIn } from '@/lib/messages/catalogues'
import { PASSWORD } from '../../support/accounts'
import {
  account,
  createRecoveryCodesOnPage,
  dialog,
  reauthenticationDialog,
  section,
} from '../../support/browser/account-pages'
import { alert, button, expect, liveStatus, open, signedIn, test } from '../../support/browser/pages'
import { forgetStepUp } from '../../support/browser/step-up'

const codes = (page: Page) => section(page, 'Recovery codes').getByRole('listitem')

async function make(page: Page) {
  await open(page, '/profile')
  await button(page, 'Create codes').click()
  await expect(codes(page)).toHaveCount(10)
  return codes(page).allTextContents()
}

test('ten recovery codes are shown once, and they sign in @promise', async ({ page, client }) => {
  const username = await signedIn(page)
  const made = await make(page)
  expect(new Set(made).size).toBe(10)
  for (const code of made) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
  await expect(section(page, `Latchkey recovery codes for ${username}`)).toBeFocused()
  await expect(
    section(page, 'Recovery codes').getByRole('paragraph').filter({ hasText: 'Save these codes now.' }),
  ).toBeVisible()
  await expect(page.getByText('10 left')).toBeHidden()
  await expect(page.getByText('Each code works once')).not.toContainText('Earlier codes')
  // On the narrowest phone, too, each has one line.
  await page.setViewportSize({ width: 320, height: 640 })
  const linesOf = (items: Element[]) =>
    items.map((item) => {
      const range = document.createRange()
      range.selectNodeContents(item)
      return range.getClientRects().length
    })
  expect(await codes(page).evaluateAll(linesOf)).toEqual(Array(10).fill(1))
  await button(page, 'Done').click()
  const asked = dialog(page, 'Have you saved your codes?')
  await expect(button(page, 'Back to the codes')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(asked).toHaveCount(0)
  await expect(codes(page)).toHaveCount(10)
  await expect(button(page, 'Done')).toBeFocused()
  // Asked once: now it ends.
  await page.keyboard.press('Enter')
  await expect(codes(page)).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(button(page, 'Create new codes')).toBeFocused()
  await expect(liveStatus(page)).toHaveText('Recovery codes saved.')
  await expect(section(page, 'Recovery codes')).toContainText(/10 left\s*Created on /)
  await page.reload()
  expect(await page.content()).not.toContain(made[0])
  const [code] = made
  expect((await client.post('/api/signin/recovery', { username, code })).status).toBe(200)
})

test('leaving the page asks first while new recovery codes are open and not saved', async ({ page }) => {
  await signedIn(page)
  await make(page)
  const asked: string[] = []
  page.on('dialog', async (question) => {
    asked.push(question.type())
    await question.dismiss()
  })
  const leave = async () => {
    await page.locator('header details').evaluate((menu: HTMLDetailsElement) => menu.setAttribute('open', ''))
    await page.getByRole('banner').getByRole('link', { name: 'Passkeys' }).click()
  }
  await leave()
  await expect.poll(() => asked).toEqual(['beforeunload'])
  await expect(codes(page)).toHaveCount(10)
  // While the session stands, which the browser's own question would come too late for.
  await button(page, 'Sign out').click()
  await dialog(page, 'Leave without saving?').getByRole('button', { name: 'Stay here' }).click()
  await expect(codes(page)).toHaveCount(10)
  await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download' }).click()])
  await leave()
  await page.waitForURL('/passkeys')
  expect(asked).toHaveLength(1)
})

test('the first recovery codes take one press, also after a step-up, and none that an address alone makes', async ({
  page,
}) => {
  const username = await signedIn(page)
  await open(page, '/profile#recovery-codes')
  await expect(button(page, 'Create ten codes')).toBeVisible()
  await button(page, 'Cancel').click()
  await forgetStepUp(page)
  await button(page, 'Create codes').click()
  const asked = reauthenticationDialog(page)
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await expect(button(page, 'Create ten codes')).toBeFocused()
  expect((await account(page)).recoveryCodesLeft).toBe(0)
  await button(page, 'Cancel').click()
  await button(page, 'Create codes').click()
  await asked.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(codes(page)).toHaveCount(10)
  await expect(section(page, `Latchkey recovery codes for ${username}`)).toBeFocused()
})

test('new recovery codes replace the current ones, of which the page says so, also when the response with new codes is lost', async ({
  page,
  context,
  client,
  faults,
}) => {
  const username = await signedIn(page)
  const [old] = await createRecoveryCodesOnPage(page)
  await open(page, '/profile')
  await button(page, 'Create new codes').click()
  await expect(section(page, 'Recovery codes')).toContainText('New codes replace your current ones.')
  await button(page, 'Create ten codes').click()
  await expect(codes(page)).toHaveCount(10)
  await expect(page.getByText('Earlier codes no longer work.')).toBeVisible()
  expect((await client.post('/api/signin/recovery', { username, code: old })).status).toBe(401)
  const [last] = await createRecoveryCodesOnPage(page)
  const losses: ((route: Route) => Promise<void>)[] = [
    (route) => route.abort('connectionreset'),
    (route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }),
    // What a front end says of a backend that broke off.
    (route) =>
      route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: { code: 'unavailable', retryAfter: 1 } }),
    async (route) => {
      await context.setOffline(true)
      await route.abort('internetdisconnected')
    },
  ]
  for (const lose of losses) {
    await open(page, '/profile')
    await button(page, 'Create new codes').click()
    await page.route('**/api/i/recovery-codes', async (route) => {
      await route.fetch()
      await lose(route)
    })
    await button(page, 'Create ten codes').click()
    await expect(alert(page)).toContainText(wordsIn('en').profile.codesLost)
    await page.unroute('**/api/i/recovery-codes')
  }
  expect((await client.post('/api/signin/recovery', { username, code: last })).status).toBe(401)
  expect(faults.splice(0)).toHaveLength(losses.length)
})

test('recovery codes can be copied, downloaded and printed alone, and who has done so is not asked', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin })
  const username = await signedIn(page)
  const made = await make(page)
  await button(page, 'Copy').click()
  await expect(button(page, 'Copied')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('latchkey-recovery-codes.txt')
  // Browsers keep the address of a download, which therefore must not contain the codes.
  expect(download.url()).toMatch(/^blob:/)
  for (const text of [copied, readFileSync(await download.path(), 'utf8')]) {
    for (const part of [new URL(server.origin).host, username, ...made]) expect(text).toContain(part)
  }
  await page.evaluate(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  await button(page, 'Print').click()
  await expect(page.locator('html')).toHaveAttribute('data-printed')
  await page.emulateMedia({ media: 'print' })
  const printed = (await page.locator('body').innerText()).split('\n').filter((line) => line.trim() !== '')
  expect(printed).toEqual([
    new URL(server.origin).host,
    `Latchkey recovery codes for ${username}`,
    expect.stringMatching(/^Created on \d+ \w+ 20\d\d$/),
    'To use one: Sign in, then “Use a recovery code”.',
    expect.stringContaining('once'),
    ...made,
  ])
  const framed = await page.locator('body :has([data-sheet])').evaluateAll((elements) =>
    elements.filter((element) => {
      const { borderTopWidth, boxShadow, paddingTop } = getComputedStyle(element)
      return borderTopWidth !== '0px' || boxShadow !== 'none' || paddingTop !== '0px'
    }),
  )
  expect(framed).toHaveLength(0)
  // Who has saved them is not asked.
  await page.emulateMedia({ media: 'screen' })
  await button(page, 'Done').click()
  await expect(codes(page)).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('recovery codes are suggested when there are none, and when three are left', async ({ page, client }) => {
  const username = await signedIn(page)
  await open(page, '/profile')
  await expect(page.getByRole('heading', { name: 'Save recovery codes' })).toBeVisible()
  await page.getByRole('link', { name: 'Create recovery codes' }).click()
  await expect(codes(page)).toHaveCount(10)
  await expect(page.getByRole('heading', { name: 'Save recovery codes' })).toHaveCount(0)
  const made = await codes(page).allTextContents()
  for (const code of made.slice(0, 6)) {
    expect((await client.post('/api/signin/recovery', { username, code })).status).toBe(200)
  }
  expect((await account(page)).recoveryCodesLeft).toBe(4)
  await open(page, '/profile')
  await expect(page.getByText('recovery codes left')).toHaveCount(0)
  await client.post('/api/signin/recovery', { username, code: made[6] })
  await open(page, '/profile')
  // A notice comes before any suggestion: these sign-ins are from a new browser.
  await button(page, 'Yes, it was me').click()
  await expect(button(page, 'Yes, it was me')).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Only 3 recovery codes left' })).toBeVisible()
})
