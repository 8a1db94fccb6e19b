import type { Page } from 'playwright/test'
import { PASSWORD, randomName } from '../../support/accounts'
import { createRecoveryCodesOnPage, reauthenticationDialog } from '../../support/browser/account-pages'
import {
  button,
  expect,
  expectProfile,
  open,
  passwordField,
  ready,
  signedIn,
  test,
  usernameField,
} from '../../support/browser/pages'
import { forgetStepUp } from '../../support/browser/step-up'

/** Presses Tab until the named element has the focus, and expects the focus to be visible on the way. */
async function tabTo(page: Page, name: string) {
  const passed: string[] = []
  while (passed.length < 15) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement
      const ring = element ? getComputedStyle(element) : null
      const name = element?.ariaLabel ?? element?.textContent ?? ''
      return { name, visible: ring?.outlineStyle !== 'none' || element?.matches('input') }
    })
    expect(focused.visible, `the focus on "${focused.name}" can be seen`).toBe(true)
    if (focused.name === name) return
    passed.push(focused.name)
  }
  throw new Error(`Tab never reached "${name}", only ${passed.join(', ')}`)
}

test('signing up with a password, signing out and signing in work by keyboard alone @promise', async ({ page }) => {
  const username = randomName()
  await open(page, '/signup')
  await expect(usernameField(page)).toBeFocused()
  await page.keyboard.type(username)
  await tabTo(page, 'Use a password instead')
  await page.keyboard.press('Enter')
  await expect(passwordField(page)).toBeFocused()
  await page.keyboard.type(PASSWORD)
  await tabTo(page, 'Create account')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: "You're in" })).toBeVisible()
  await tabTo(page, 'Continue')
  await page.keyboard.press('Enter')
  await expectProfile(page, username)

  await ready(page)
  await tabTo(page, `Account: ${username}`)
  await page.keyboard.press('Enter')
  await tabTo(page, 'Sign out')
  await page.keyboard.press('Enter')
  await page.waitForURL('/signin')
  await ready(page)
  await expect(usernameField(page)).toBeFocused()
  await page.keyboard.type(username)
  await page.keyboard.press('Tab')
  await expect(passwordField(page)).toBeFocused()
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expectProfile(page, username)
})

test('the reauthentication dialog keeps the focus inside and returns it when closed', async ({ page }) => {
  await signedIn(page)
  await createRecoveryCodesOnPage(page)
  await forgetStepUp(page)
  await open(page, '/passkeys')
  await button(page, 'Add a passkey').focus()
  await page.keyboard.press('Enter')
  const field = reauthenticationDialog(page).getByLabel('Password', { exact: true })
  await expect(field).toBeFocused()
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press('Tab')
    // Between the last control and the first, the focus is in the browser's own interface.
    const focused = await page.evaluate(() => {
      const element = document.activeElement
      return element === document.body || element?.closest('dialog') ? 'inside' : element?.outerHTML
    })
    expect(focused).toBe('inside')
  }
  await field.focus()
  await page.keyboard.press('Escape')
  await expect(button(page, 'Add a passkey')).toBeFocused()
})
