import { statusMessage } from '../../support/browser/account-pages'
import { backAtApp, continueButton, ignoreRequestsTo, openConsent, requestTo, test } from '../../support/browser/app'
import { findViolations } from '../../support/browser/axe'
import { button, expect, open, ready, signedIn } from '../../support/browser/pages'
import { registerApp } from '../../support/openid/fixtures'

test('the profile lists the apps that a person has let in, and takes access away', async ({ page, app, faults }) => {
  await signedIn(page)
  await page.goto(requestTo(app))
  await ready(page)
  await continueButton(page, app).click()
  await backAtApp(page, app)
  await open(page, '/profile')
  const apps = page.getByRole('region', { name: 'Connected apps' })
  await expect(apps).toContainText('Can see your username')
  await expect(apps.getByRole('link', { name: app.name })).toHaveAttribute('href', `${app.origin}/home`)
  expect(await findViolations(page)).toEqual([])
  await button(page, `Remove access: ${app.name}`).click()
  await expect(apps).toBeHidden()
  const message = statusMessage(page, `${app.name} no longer has access.`)
  await expect(message).toBeVisible()
  await expect(page.locator('[tabindex="-1"]').filter({ has: message })).toBeFocused()
  await openConsent(page, app)
  ignoreRequestsTo(app, faults)
})

test("the second click of a double click takes no other app's access away", async ({ page, app, server, faults }) => {
  await signedIn(page)
  const { redirectUri } = app
  for (const { id } of [
    app,
    await registerApp(server, redirectUri, '--trusted'),
    await registerApp(server, redirectUri, '--trusted'),
  ]) {
    await page.goto(requestTo({ ...app, id }))
    if (id === app.id) await continueButton(page, app).click()
    await backAtApp(page, app)
  }
  await open(page, '/profile')
  const remove = page.getByRole('button', { name: /^Remove access/ })
  await expect(remove).toHaveCount(3)
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

test('on a phone, an app stands in lines of its own, above the button that takes its access away', async ({
  page,
  app,
  server,
  faults,
}) => {
  const { id } = await registerApp(server, app.redirectUri, '--trusted')
  await signedIn(page)
  await page.setViewportSize({ width: 375, height: 800 })
  await page.goto(requestTo({ ...app, id }, { scope: 'openid profile email groups' }))
  await backAtApp(page, app)
  await open(page, '/profile')
  const apps = page.getByRole('region', { name: 'Connected apps' })
  const learned = apps.getByText('Can see your username and name, your email address and your groups')
  const [text, remove] = [await learned.boundingBox(), await apps.getByRole('button').boundingBox()]
  expect(text?.width).toBeGreaterThan(250)
  expect((text?.y ?? 0) + (text?.height ?? 0)).toBeLessThanOrEqual(remove?.y ?? 0)
  ignoreRequestsTo(app, faults)
})
