import type { Page } from 'playwright/test'
import { VirtualAuthenticator } from '../passkey-fixture/virtual-authenticator'
import { randomName } from '../support/accounts'
import {
  button,
  expect,
  open,
  passwordField,
  signedIn,
  signedOut,
  submitSignIn,
  test,
  usernameField,
} from '../support/pages'
import { forgetStepUp } from '../support/step-up'

/** A username of maximum length, without a line break opportunity. */
const longName = () => `${randomName()}${'m'.repeat(64)}`.slice(0, 64)

async function expectToFit(page: Page, what: string) {
  const { width, wide } = await page.evaluate(() => ({
    width: document.documentElement.scrollWidth,
    wide: [...document.querySelectorAll('main *')]
      .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 0.5)
      .map((element) => element.outerHTML.slice(0, 100)),
  }))
  expect({ width, wide }, what).toEqual({ width: 320, wide: [] })
}

/** Relative luminance of the page's background, from 0 (black) to 1 (white), as WCAG 2.2 defines it. */
function luminance(page: Page) {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d')
    if (!canvas) throw new Error('no canvas')
    canvas.fillStyle = getComputedStyle(document.body).backgroundColor
    canvas.fillRect(0, 0, 1, 1)
    const linear = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => (value / 255) ** 2.2)
    return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0)
  })
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`on a phone of 320 pixels, ${colorScheme}`, () => {
    test.use({ colorScheme, viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true })

    test('signed-out pages fit, including their errors', async ({ page }) => {
      const username = await signedOut(page)
      await open(page, '/signin')
      const light = await luminance(page)
      expect(colorScheme === 'light' ? light : 1 - light).toBeGreaterThan(0.8)
      await expectToFit(page, 'sign in')
      await button(page, 'Sign in').click()
      await expectToFit(page, 'sign in with empty fields')
      await submitSignIn(page, username, 'not the password')
      await expect(page.getByText('Authentication Failed')).toBeVisible()
      await expectToFit(page, 'failed sign in')
      await button(page, 'Use a recovery code').click()
      await button(page, 'Sign in').click()
      await expectToFit(page, 'a recovery code with empty fields')
      await open(page, '/signup')
      await expectToFit(page, 'sign up')
      await button(page, 'Use a password instead').click()
      await usernameField(page).fill('a b')
      await passwordField(page).fill('short')
      await button(page, 'Create account').click()
      await expect(page.locator('[aria-invalid]')).toHaveCount(2)
      await expectToFit(page, 'sign up with wrong fields')
      await page.goto('/nowhere')
      await expectToFit(page, 'not found')
    })

    test('forms and dialogs of signed-in pages fit the longest username', async ({ page }) => {
      await signedIn(page, longName())
      await open(page, '/profile')
      for (const name of ['Change username', 'Change password', 'Create codes']) await button(page, name).click()
      await button(page, 'Save').first().click()
      await button(page, 'Create ten codes').click()
      await expect(page.getByRole('button', { name: 'Done' })).toBeVisible()
      await expectToFit(page, 'forms and codes')
      await button(page, 'Delete this account').click()
      await button(page, 'Delete account').click()
      await expectToFit(page, 'confirming deletion')
      await page.keyboard.press('Escape')
      await forgetStepUp(page)
      await button(page, 'Done').click()
      await button(page, 'Create new codes').click()
      await button(page, 'Create ten codes').click()
      await button(page, 'Use a recovery code').click()
      await button(page, 'Continue').click()
      await expectToFit(page, 'reauthenticating')
    })

    test('signed-in pages fit the longest username', async ({ page }) => {
      await VirtualAuthenticator.attach(page)
      await signedIn(page, longName())
      await open(page, '/profile')
      await expectToFit(page, 'profile')
      await open(page, '/passkeys')
      await expectToFit(page, 'no passkeys')
      await button(page, 'Add a passkey').click()
      await expect(page.getByRole('listitem')).toHaveCount(1)
      await expectToFit(page, 'a passkey and its name')
      await page.getByLabel('Passkey name').fill('m'.repeat(64))
      await page.keyboard.press('Enter')
      await button(page, 'Remove').click()
      await expectToFit(page, 'a passkey with a long name, and removing it')
      await button(page, 'Cancel').click()
      await button(page, 'Add a passkey').click()
      await expect(page.locator('main').getByRole('alert')).not.toBeEmpty()
      await expectToFit(page, 'a failed registration')
    })
  })
}
