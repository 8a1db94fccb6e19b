import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright/test'
import { randomName } from '../../support/accounts'
import { statusMessage } from '../../support/browser/account-pages'
import {
  backAtApp,
  continueButton,
  continueToApp,
  ignoreRequestsTo,
  openConsent,
  requestTo,
  test,
} from '../../support/browser/app'
import { findViolations } from '../../support/browser/axe'
import { button, expect, open, ready, signedIn } from '../../support/browser/pages'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { CALLBACK, registerApp, smallPng } from '../../support/openid/fixtures'
import { accounts } from '../../support/operator/accounts-command'
import { executeSql } from '../../support/storage/sql'

test('the profile opens the apps that a person may use, and lists those let in, whose access it takes away', async ({
  page,
  app,
  server,
  faults,
}) => {
  const username = await signedIn(page)
  const home = (path: string) => ['--home', `https://apps.example.com/${path}`]
  const group = randomName()
  const icon = join(temporaryFolder('icon'), 'icon.png')
  writeFileSync(icon, smallPng)
  const [mine, others] = [
    await registerApp(server, app.redirectUri, ...home('mine'), '--group', group, '--icon', icon),
    await registerApp(server, CALLBACK, ...home('others'), '--group', randomName()),
  ]
  await accounts(server, 'group', 'add', group, username)
  await open(page, '/profile')
  const tiles = page.getByRole('region', { name: 'Your apps' })
  await expect(tiles.getByRole('link', { name: mine.name })).toHaveAttribute('href', 'https://apps.example.com/mine')
  await expectPicture(tiles.getByRole('link', { name: mine.name }))
  await expect(tiles.getByRole('link', { name: others.name })).toHaveCount(0)
  await expect(tiles.getByRole('link', { name: 'Manage access' })).toHaveCount(0)
  await page.goto(requestTo({ ...app, id: mine.id }))
  await expectPicture(page.getByRole('main'))
  await continueToApp(page, { ...app, name: mine.name }, faults)
  await page.goto(requestTo(app))
  await continueToApp(page, app, faults)
  await open(page, '/profile')
  await expect(tiles.getByRole('link', { name: app.name })).toHaveAttribute('href', `${app.origin}/home`)
  expect(await findViolations(page)).toEqual([])
  // Without a front page it opens from both pages at the origin that signs people in.
  executeSql(
    server.databaseUrl,
    `UPDATE "App" SET "homeUrl" = NULL, "redirectUris" = 'https://mine.example.com/callback' WHERE "id" = '${mine.id}'`,
  )
  await page.reload()
  await expect(tiles.getByRole('link', { name: mine.name })).toHaveAttribute('href', 'https://mine.example.com')
  await tiles.getByRole('link', { name: 'Manage access' }).click()
  await page.waitForURL('/profile/apps')
  await ready(page)
  const apps = page.getByRole('region', { name: 'Connected apps' })
  await expect(apps).toContainText('Can see your username')
  await expect(apps.getByRole('link', { name: app.name })).toHaveAttribute('href', `${app.origin}/home`)
  await expect(apps.getByRole('link', { name: mine.name })).toHaveAttribute('href', 'https://mine.example.com')
  expect(await findViolations(page)).toEqual([])
  await expectPicture(apps.getByRole('listitem').filter({ hasText: mine.name }))
  await button(page, `Remove access: ${mine.name}`).click()
  await expect(statusMessage(page, `${mine.name} no longer has access.`)).toBeVisible()
  await button(page, `Remove access: ${app.name}`).click()
  await expect(apps).toContainText('No app can see anything of your account')
  const message = statusMessage(page, `${app.name} no longer has access.`)
  await expect(message).toBeVisible()
  await expect(page.locator('[tabindex="-1"]').filter({ has: message })).toBeFocused()
  await openConsent(page, app)
  ignoreRequestsTo(app, faults)
})

test("the button that takes access away stands beside the app's name on a phone, and the second click of a double click takes no other's away", async ({
  page,
  app,
  server,
  faults,
}) => {
  await signedIn(page)
  const { redirectUri } = app
  for (const { id } of [
    app,
    await registerApp(server, redirectUri, '--trusted'),
    await registerApp(server, redirectUri, '--trusted'),
  ]) {
    await page.goto(requestTo({ ...app, id }))
    if (id === app.id) await continueButton(page).click()
    await backAtApp(page, app)
  }
  await open(page, '/profile/apps')
  const remove = page.getByRole('button', { name: /^Remove access/ })
  await expect(remove).toHaveCount(3)
  await page.setViewportSize({ width: 375, height: 800 })
  const [title, press] = await Promise.all(
    [page.getByRole('heading', { name: app.name }), button(page, `Remove access: ${app.name}`)].map((part) =>
      part.boundingBox(),
    ),
  )
  const middle = (title?.y ?? 0) + (title?.height ?? 0) / 2
  expect(middle).toBeGreaterThan(press?.y ?? 0)
  expect(middle).toBeLessThan((press?.y ?? 0) + (press?.height ?? 0))
  await remove.first().click()
  await expect(remove).toHaveCount(2)
  const asked: string[] = []
  page.on('request', (request) => request.method() === 'POST' && asked.push(request.url()))
  // The second click, on what has come there.
  await remove.first().hover()
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  const apps = await (await page.request.post('/api/i/apps')).json()
  expect([apps.apps.length, asked]).toEqual([2, []])
  ignoreRequestsTo(app, faults)
})

/** The app's icon, one pixel wide, has been loaded. */
const expectPicture = (place: Locator) =>
  expect
    .poll(() =>
      place
        .locator('img')
        .first()
        .evaluate((element: HTMLImageElement) => element.naturalWidth),
    )
    .toBe(1)
