import type { Page } from 'playwright/test'
import { PASSWORD, signInElsewhere } from '../../support/accounts'
import {
  createRecoveryCodesOnPage,
  dialog,
  passkeyButton,
  reauthenticationDialog,
} from '../../support/browser/account-pages'
import { findViolations } from '../../support/browser/axe'
import {
  button,
  expect,
  open,
  signedIn,
  signedOut,
  submitSignIn,
  test,
  usernameField,
} from '../../support/browser/pages'
import { forgetStepUp, requestSession } from '../../support/browser/step-up'

// Colours that are on their way to others have neither's contrast.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

const expectNone = async (page: Page, state: string) => expect(await findViolations(page), state).toEqual([])

test('axe finds nothing on the signed-out pages, in any of their states @promise', async ({ page }) => {
  const username = await signedOut(page)
  await open(page, '/signin')
  await button(page, 'Language: English').click()
  await expectNone(page, 'sign in, and the languages')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: 'Deutsch' })).toBeHidden()
  await submitSignIn(page, username, 'not the password')
  await expect(page.getByText('Authentication Failed')).toBeVisible()
  await expectNone(page, 'failed sign in')
  await button(page, 'Use a recovery code').click()
  await expect(page.getByLabel('Recovery code')).toBeVisible()
  await expectNone(page, 'a recovery code')
  await open(page, '/signup')
  await expectNone(page, 'sign up')
  await button(page, 'Use a password instead').click()
  await usernameField(page).fill('a b')
  await button(page, 'Create account').click()
  await expectNone(page, 'sign up with wrong fields')
  await page.goto('/nowhere')
  await expectNone(page, 'not found')
  await page.goto('/api/oauth/authorize?client_id=unknown&redirect_uri=https://app.example.com/')
  await expect(page.getByRole('main')).toContainText("isn't registered with Latchkey")
  await expect(page.getByRole('main')).toContainText('invalid_request: unknown client_id')
  await expectNone(page, 'an unknown app')
})

test('axe finds nothing on the pages of the account, in any of their states', async ({ page, passkeys: _ }) => {
  const username = await signedIn(page)
  await createRecoveryCodesOnPage(page)
  await open(page, '/profile')
  await page.locator('header summary').click()
  await expectNone(page, 'profile, and the menu with the name')
  await page.keyboard.press('Escape')
  for (const name of ['Change username', 'Change password', 'Create new codes']) await button(page, name).click()
  await button(page, 'Save').first().click()
  await button(page, 'Create ten codes').click()
  await expect(button(page, 'Done')).toBeVisible()
  await expectNone(page, 'forms and codes')
  await button(page, 'Done').click()
  await button(page, "I've saved them").click()
  await forgetStepUp(page)
  await button(page, 'Create new codes').click()
  await button(page, 'Create ten codes').click()
  await expect(reauthenticationDialog(page)).toBeVisible()
  await expectNone(page, 'reauthenticating')
  for (const path of ['/profile/devices', '/profile/activity']) {
    await open(page, path)
    await expectNone(page, path)
  }
  await open(page, '/profile/about-you')
  await button(page, 'Delete this account').click()
  await button(page, 'Delete account').click()
  await expectNone(page, 'deleting the account')
  await requestSession(page, '/api/signin', { username, password: PASSWORD })
  await open(page, '/passkeys')
  await button(page, 'Add a passkey').click()
  await expect(page.getByRole('listitem')).toHaveCount(1)
  await expectNone(page, 'a passkey, its name open for a change')
  await button(page, 'Cancel').click()
  await passkeyButton(page, 'Remove').click()
  await expect(dialog(page, /^Remove/)).toBeVisible()
  await expectNone(page, 'removing it')
  await page.goto('/profile?locale=ar')
  await expectNone(page, 'profile in Arabic')
})

test('axe finds nothing on the pages between a sign-in and an app, in any of their states', async ({
  page,
  server,
  passkeys: _,
}) => {
  const username = await signedIn(page)
  await open(page, '/secure')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Security check-up')
  await expectNone(page, 'a check-up')
  await signInElsewhere(server, username)
  await open(page, '/welcome?next=/passkeys')
  await button(page, 'Add a passkey').click()
  await expect(page.getByRole('listitem')).toHaveCount(2)
  await button(page, 'Create recovery codes').click()
  await expect(button(page, 'Done')).toBeVisible()
  await expectNone(page, 'welcome with a passkey and codes')
  await open(page, '/notices?next=/passkeys')
  await expectNone(page, 'notices')
  await open(page, '/secure')
  await button(page, 'I recognize all of these').click()
  await button(page, 'Sign out everywhere else').click()
  // The last step may be done, too: by the codes above, if they are clearly newer than the notice.
  const steps = page.locator('main ol > li')
  for (const done of [0, 1]) await expect(steps.nth(done)).toHaveAttribute('data-done')
  // Of the password, which nobody has changed.
  await expect(steps.nth(2)).not.toHaveAttribute('data-done')
  await expectNone(page, 'two steps of securing the account')
})

test.describe('in forced colours', () => {
  test.use({ contextOptions: { forcedColors: 'active' } })

  test('what colour alone sets apart keeps an edge', async ({ page }) => {
    await signedIn(page)
    await open(page, '/profile')
    await button(page, 'Create codes').click()
    await expect(button(page, 'Done')).toBeVisible()
    const edges = await page.evaluate(() =>
      [...document.querySelectorAll('main :is(section, [data-tone])')].map((element) => {
        const { borderTopWidth, borderTopColor } = getComputedStyle(element)
        const hasEdge = borderTopWidth !== '0px' && borderTopColor === getComputedStyle(document.body).color
        return [element.textContent?.slice(0, 30), hasEdge]
      }),
    )
    expect(edges.length).toBeGreaterThan(2)
    expect(edges.filter(([, hasEdge]) => !hasEdge)).toEqual([])
  })
})
