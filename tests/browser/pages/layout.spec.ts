import type { Page } from 'playwright/test'
import { contrast } from '@/lib/colour'
import { locales } from '@/lib/messages/locales'
import { randomName } from '../../support/accounts'
import { passkeyButton } from '../../support/browser/account-pages'
import { brokenWords, expectToFit } from '../../support/browser/fit'
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
} from '../../support/browser/pages'
import { forgetStepUp } from '../../support/browser/step-up'

/** A username of maximum length, without a line break opportunity. */
const longName = () => `${randomName()}${'m'.repeat(64)}`.slice(0, 64)

test.describe('with text of 200 % on a phone of 375 pixels', () => {
  test.use({ viewport: { width: 375, height: 720 } })

  test.beforeEach(({ page }) =>
    page.addInitScript(() => {
      document.addEventListener('DOMContentLoaded', () => {
        document.documentElement.style.fontSize = '200%'
      })
    }),
  )

  test('pages fit and break no word', async ({ page }) => {
    const expectToRead = async (what: string) => {
      await expectToFit(page, what)
      expect(await brokenWords(page), what).toEqual([])
    }
    await open(page, '/signin')
    await expectToRead('sign in')
    await open(page, '/signup')
    await expectToRead('sign up')
    await signedIn(page, 'somebody'.concat(String(Date.now())))
    await open(page, '/profile')
    await expectToRead('profile')
    await button(page, 'Create codes').click()
    await button(page, 'Done').click()
    await expectToRead('asking whether the codes are saved')
    await button(page, 'Back to the codes').click()
    await expectToRead('recovery codes')
    for (const path of ['/passkeys', '/profile/about-you', '/profile/devices', '/profile/activity', '/profile/apps']) {
      await open(page, path)
      await expectToRead(path)
    }
    await open(page, '/secure')
    await expectToRead('securing the account')
    await open(page, '/welcome')
    await expectToRead('welcome')
  })

  test('a dialog opens with its title in sight', async ({ page, passkeys: _ }) => {
    await signedIn(page)
    const expectTitle = async (name: string | RegExp) => {
      const dialog = page.getByRole('dialog', { name })
      expect(await dialog.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(true)
      await expect(dialog.getByRole('heading')).toBeInViewport({ ratio: 1 })
      await expect(dialog.getByRole('heading')).toBeFocused()
    }
    await open(page, '/profile/about-you')
    await button(page, 'Delete this account').click()
    await expectTitle('Delete this account?')
    await page.keyboard.press('Tab')
    await expect(page.getByLabel('Your username')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(button(page, 'Delete this account')).toBeFocused()
    await open(page, '/passkeys')
    await button(page, 'Add a passkey').click()
    await button(page, 'Cancel').click()
    await passkeyButton(page, 'Remove').click()
    await expectTitle(/^Remove /)
  })
})

test('sign-up and the welcome page fit a laptop of 1280 by 800 pixels in each language', async ({
  page,
  passkeys: _,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const expectNoScrolling = async (path: string) => {
    for (const locale of locales) {
      await open(page, `${path}?locale=${locale}`)
      const height = await page.evaluate(() => document.documentElement.scrollHeight)
      // Fonts differ by a line at most.
      expect(height, `${path} in ${locale}`).toBeLessThanOrEqual(820)
    }
  }
  await expectNoScrolling('/signup')
  await signedIn(page)
  await expectNoScrolling('/welcome')
})

test('the icon of a passkey button stands beside its text where that takes two lines', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await open(page, '/signup')
  const { lines, gap } = await button(page, 'Create account with a passkey').evaluate((element) => {
    const icon = element.querySelector('svg') as SVGElement
    const text = document.createRange()
    text.selectNode(document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text)
    const rows = [...text.getClientRects()]
    return { lines: rows.length, gap: (rows[0]?.left ?? 0) - icon.getBoundingClientRect().right }
  })
  expect(lines).toBe(2)
  expect(gap).toBeCloseTo(10, 0)
})

/** The colour of the page's background, in `#rrggbb`. */
const pageBackground = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d')
    if (!canvas) throw new Error('no canvas')
    canvas.fillStyle = getComputedStyle(document.body).backgroundColor
    return canvas.fillStyle
  })

test.describe('on a phone of 320 pixels', () => {
  test.use({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true })

  test('signed-out pages fit, including their errors', async ({ page }) => {
    const username = await signedOut(page)
    await open(page, '/signin')
    for (const [colorScheme, opposite] of [
      ['dark', '#ffffff'],
      ['light', '#000000'],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await expect.poll(async () => contrast(await pageBackground(page), opposite), colorScheme).toBeGreaterThan(15)
    }
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
    await page.context().addCookies([
      {
        name: 'latchkey-hint',
        value: `password~password.01230123.${longName()}~passkey.32103210.${longName()}`,
        url: page.url(),
      },
    ])
    for (const path of ['/signin', '/signin?as=0', '/signin?as=1', '/signin?as=other']) {
      await page.goto(path)
      await expectToFit(page, `${path} with remembered names`)
    }
  })

  test('forms and dialogs of signed-in pages fit the longest username', async ({ page }) => {
    await signedIn(page, longName())
    await open(page, '/profile')
    for (const name of ['Change username', 'Change password', 'Create codes']) await button(page, name).click()
    await button(page, 'Save').first().click()
    await expect(page.getByRole('button', { name: 'Done' })).toBeVisible()
    await expectToFit(page, 'forms and codes')
    await forgetStepUp(page)
    await button(page, 'Done').click()
    await expectToFit(page, 'asking whether the codes are saved')
    await button(page, "I've saved them").click()
    await button(page, 'Create new codes').click()
    await button(page, 'Create ten codes').click()
    await button(page, 'Use a recovery code').click()
    await button(page, 'Continue').click()
    await expectToFit(page, 'reauthenticating')
    await open(page, '/profile/about-you')
    await button(page, 'Delete this account').click()
    await button(page, 'Delete account').click()
    await expectToFit(page, 'the question before deletion')
  })
})
