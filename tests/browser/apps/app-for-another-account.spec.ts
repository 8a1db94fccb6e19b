import {
  backAtApp,
  consentTitle,
  continueButton,
  ignoreRequestsTo,
  openConsent,
  requestTo,
  test,
} from '../../support/browser/app'
import { button, expect, ready, signedIn, signedOut, submitSignIn } from '../../support/browser/pages'
import { registerApp } from '../../support/openid/fixtures'
import { accountsJson } from '../../support/operator/accounts-command'

test.describe('a change of account on the way to an app', () => {
  test("a person who answers an app can sign out instead, and another tab's sign-in to another account makes the page begin anew for that", async ({
    page,
    app,
    faults,
  }) => {
    await signedIn(page)
    await openConsent(page, app)
    const username = await signedIn(page)
    await page.reload()
    await expect(consentTitle(page, app)).toBeVisible()
    await expect(page.getByRole('main')).toContainText(username)
    await page.getByRole('link', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'Sign out of Latchkey?' })).toBeVisible()
    await ready(page)
    await button(page, 'Sign out').click()
    await page.waitForURL((url) => url.pathname === '/signin')
    ignoreRequestsTo(app, faults)
  })

  test('a person whose account an app is not for uses another one, and the app is told of that one', async ({
    page,
    app,
    server,
    faults,
  }) => {
    const closed = { ...(await registerApp(server, app.redirectUri, '--group', 'family')), origin: app.origin }
    const member = await signedOut(page)
    await accountsJson(server, 'group', 'add', 'family', member)
    await signedIn(page)
    await page.goto(requestTo(closed))
    await expect(page.getByRole('heading', { name: `You can't use ${closed.name}` })).toBeVisible()
    await page.getByRole('link', { name: 'Change' }).click()
    await page.waitForURL((url) => url.pathname === '/signin')
    await ready(page)
    await expect(page.getByRole('main')).toContainText(`Sign in to continue to ${closed.name}.`)
    await submitSignIn(page, member)
    await expect(consentTitle(page, closed)).toBeVisible()
    await ready(page)
    await expect(page.getByRole('main')).toContainText(member)
    await continueButton(page).click()
    expect((await backAtApp(page, app)).has('code')).toBe(true)
    ignoreRequestsTo(app, faults)
  })
})
