import type { Page } from 'playwright/test'
import { VirtualAuthenticator } from '../../passkey-fixture/virtual-authenticator'
import { randomName } from '../../support/accounts'
import { reauthenticationDialog, statusMessage } from '../../support/browser/account-pages'
import { button, expect, open, signedIn, submitSignIn, test } from '../../support/browser/pages'
import { forgetStepUp } from '../../support/browser/step-up'

/** Records what screen readers announce: text that is added to a live region that is not inert. */
async function watchAnnouncements(page: Page) {
  const announced: string[] = []
  await page.exposeFunction('noteAnnouncement', (text: string) => announced.push(text))
  await page.addInitScript(() => {
    const { noteAnnouncement } = globalThis as unknown as { noteAnnouncement: (text: string) => void }
    function isExposed(node: Node) {
      const region = (node as Element).closest?.('main [role="alert"], main [role="status"]')
      const modal = document.querySelector('dialog:modal')
      return region && (!modal || modal.contains(region))
    }
    new MutationObserver((mutations) => {
      for (const { target, addedNodes } of mutations) {
        const text = [...addedNodes].map((node) => node.textContent).join('')
        if (text && isExposed(target)) noteAnnouncement(text)
      }
    }).observe(document, { childList: true, subtree: true })
  })
  return announced
}

const regions = (page: Page, role: 'alert' | 'status') => page.locator('main').getByRole(role)

test('every page has one pair of live regions, which is empty at first', async ({ page }) => {
  async function expectPair(path: string) {
    await open(page, path)
    for (const role of ['alert', 'status'] as const) {
      await expect(regions(page, role), path).toHaveCount(1)
      await expect(regions(page, role), path).toBeEmpty()
    }
  }
  for (const path of ['/signin', '/signup']) await expectPair(path)
  await signedIn(page)
  for (const path of ['/profile', '/passkeys']) await expectPair(path)
})

test('a failed sign-in is announced once, and each further failure again', async ({ page }) => {
  const announced = await watchAnnouncements(page)
  const failure = "Authentication FailedThat username and password don't match."
  await open(page, '/signin')
  await submitSignIn(page, randomName())
  await expect.poll(() => announced).toEqual([failure])
  await submitSignIn(page, randomName())
  await expect.poll(() => announced).toEqual([failure, failure])
})

test('a changed setting is announced once in its place, a new message replaces it, and copying codes again is announced again', async ({
  page,
}) => {
  const announced = await watchAnnouncements(page)
  await signedIn(page)
  await page.clock.install()
  await open(page, '/profile')
  await button(page, 'Change username').click()
  await page.getByLabel('New username').fill(randomName())
  await button(page, 'Save').click()
  await expect(statusMessage(page.locator('#username-setting'), 'Username changed.')).toBeVisible()
  await expect(button(page, 'Change username')).toBeFocused()
  expect(announced.splice(0)).toEqual(['Username changed.'])

  await button(page, 'Create codes').click()
  await expect.poll(() => announced.splice(0)).toEqual(["Save these codes now. You won't see them again."])
  await expect(statusMessage(page, 'Username changed.')).toHaveCount(0)
  await page.context().grantPermissions(['clipboard-write'])
  await button(page, 'Copy').click()
  await expect.poll(() => announced).toEqual(['Copied'])
  await expect(
    page.locator('#recovery-codes').getByRole('paragraph').filter({ hasText: 'Save these codes now.' }),
  ).toBeVisible()
  await button(page, 'Copied').click()
  await expect.poll(() => announced).toEqual(['Copied', 'Copied'])
  await page.clock.fastForward(10_000)
  await expect(button(page, 'Copy')).toBeVisible()
  expect(announced).toEqual(['Copied', 'Copied'])
})

test('the dialog announces its own messages, and closing it announces only what the page has to say', async ({
  page,
}) => {
  const announced = await watchAnnouncements(page)
  await VirtualAuthenticator.attach(page)
  await signedIn(page)
  await forgetStepUp(page)
  await open(page, '/passkeys')
  await button(page, 'Add a passkey').click()
  await reauthenticationDialog(page).getByLabel('Password', { exact: true }).fill('not the password')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => announced.splice(0))
    .toEqual(["That isn't your passwordCheck the password and try again, or use another way."])
  await button(page, 'Cancel').click()
  await expect(button(page, 'Add a passkey')).toBeFocused()
  expect(announced).toEqual(["You didn't confirm it's you, so nothing has changed."])
})

test('a page announces once that it waits for a device, also while its open menu has live regions of its own', async ({
  page,
  passkeys,
}) => {
  const announced = await watchAnnouncements(page)
  await signedIn(page)
  await open(page, '/passkeys')
  await passkeys.setAnswering(false)
  await page.getByRole('banner').locator('summary').press('Enter')
  await expect(button(page, 'Sign out')).toBeVisible()
  // A press with the pointer would close the menu.
  await button(page, 'Add a passkey').press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Waiting for your device…' })).toHaveCount(1)
  await expect.poll(() => announced).toEqual(['Waiting for your device…'])
  await passkeys.setAnswering(true)
})
