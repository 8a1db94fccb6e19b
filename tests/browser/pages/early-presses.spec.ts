import type { Page } from 'playwright/test'
import { PASSWORD } from '../../support/accounts'
import {
  button,
  expect,
  expectProfile,
  passwordField,
  place,
  signedIn,
  signedOut,
  test,
  usernameField,
} from '../../support/browser/pages'
import { withResolvers } from '../../support/with-resolvers'

test("a button pressed before the page's scripts are there does its work once they are", async ({ page }) => {
  await signedIn(page)
  const release = await openWithoutScripts(page, '/profile')
  await page.locator('header summary').click()
  await button(page, 'Sign out').click()
  release()
  await expect(page).toHaveURL('/signin')
  await expect(page.getByText("You're signed out.")).toBeVisible()
})

test("a form sent before the page's scripts are there is sent once, by them, as it was filled in @promise", async ({
  page,
}) => {
  const username = await signedOut(page)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
  })
  const release = await openWithoutScripts(page, '/signin')
  await usernameField(page).fill(username)
  await passwordField(page).fill(PASSWORD)
  await button(page, 'Use a recovery code').click()
  await passwordField(page).press('Enter')
  await passwordField(page).press('Enter')
  expect([place(page), ...sent]).toEqual(['/signin'])
  release()
  await expectProfile(page, username)
  expect(sent.filter((path) => path === '/api/signin')).toHaveLength(1)
})

test("a press before the page's scripts are there does its work and keeps what was typed, with what an extension put beside the button", async ({
  page,
  faults,
}) => {
  const username = await signedOut(page)
  const release = await openWithoutScripts(page, '/signin')
  await usernameField(page).fill(username)
  await button(page, 'Use a recovery code').click()
  await page.evaluate(() => document.querySelector('form')?.prepend(document.createElement('div')))
  release()
  await expect(page.getByLabel('Recovery code')).toBeVisible()
  await expect(usernameField(page)).toHaveValue(username)
  // React reports that it has rendered the page anew.
  faults.splice(0)
})

/** Opens a page, and returns what releases its scripts, which are held back until then. */
async function openWithoutScripts(page: Page, path: string) {
  const { promise: released, resolve: release } = withResolvers()
  let held = 0
  await page.route('**/_next/**/*.js', async (route) => {
    held++
    await released
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  await expect.poll(() => held).toBeGreaterThan(0)
  return release
}

const insertions: Record<string, () => void> = {
  'around an input': () => {
    const input = document.querySelector('[name=password]')
    const around = document.createElement('span')
    input?.replaceWith(around)
    if (input) around.append(input)
  },
  'beside each input, with attributes on it': () => {
    for (const input of document.querySelectorAll('input')) {
      input.setAttribute('data-extension', 'true')
      input.style.backgroundImage = 'none'
      input.after(document.createElement('button'))
    }
  },
  'in place of a text': () => {
    for (const text of document.querySelectorAll('label, h1')) text.innerHTML = '<font>Translated</font>'
  },
}

for (const [where, insert] of Object.entries(insertions)) {
  test(`what is typed before the page's scripts are there stays where it was typed, with what an extension put ${where}`, async ({
    page,
    faults,
  }) => {
    const username = await signedOut(page)
    const release = await openWithoutScripts(page, '/signin')
    await usernameField(page).fill(username)
    await page.locator('[name=remember]').check()
    await passwordField(page).click()
    await page.keyboard.type(PASSWORD.slice(0, 5))
    await page.evaluate(insert)
    if (where === 'around an input') await passwordField(page).focus()
    release()
    for (const letter of PASSWORD.slice(5)) await page.keyboard.type(letter, { delay: 40 })
    await page.waitForFunction(() =>
      Object.keys(document.querySelector('form') ?? {}).some((key) => key.startsWith('__react')),
    )
    await expect(page.locator('[name=username]')).toHaveValue(username)
    await expect(passwordField(page)).toHaveValue(PASSWORD)
    await expect(passwordField(page)).toBeFocused()
    await expect(page.locator('[name=remember]')).toBeChecked()
    // React reports that it has rendered the page anew.
    faults.splice(0)
    await page.keyboard.press('Enter')
    await expectProfile(page, username)
  })
}
