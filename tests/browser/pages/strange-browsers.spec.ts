import type { Page } from 'playwright/test'
import {
  alert,
  button,
  expect,
  expectProfile,
  open,
  signedIn,
  signedOut,
  signUpWithPasswordOnPage,
  submitSignIn,
  test,
} from '../../support/browser/pages'

/** What privacy extensions, webviews and odd machines make of what pages ask of their browser. Each runs in the page. */
const browsers: Record<string, () => void> = {
  'whose storage, cookies and channels throw, and whose time zone Intl rejects': () => {
    const { resolvedOptions } = Intl.DateTimeFormat.prototype
    Intl.DateTimeFormat.prototype.resolvedOptions = function () {
      return { ...resolvedOptions.call(this), timeZone: 'Etc/Unknown' }
    }
    const forbid = {
      configurable: true,
      get: () => {
        throw new DOMException('forbidden', 'SecurityError')
      },
    }
    for (const name of ['localStorage', 'sessionStorage', 'BroadcastChannel', 'indexedDB', 'caches'])
      Object.defineProperty(window, name, forbid)
    Object.defineProperty(Document.prototype, 'cookie', { ...forbid, set: forbid.get })
  },
  'without storage, or anything about itself': () => {
    for (const name of ['localStorage', 'sessionStorage', 'crypto', 'matchMedia'])
      Object.defineProperty(window, name, { value: null })
    for (const name of ['language', 'languages', 'onLine', 'cookieEnabled', 'userAgent', 'clipboard'])
      Object.defineProperty(Navigator.prototype, name, { value: undefined })
    Object.defineProperty(Performance.prototype, 'timeOrigin', { value: undefined })
    Reflect.deleteProperty(Element.prototype, 'animate')
  },
}

for (const [what, disturb] of Object.entries(browsers)) {
  test(`a browser ${what} shows every page, and signs up, out and in`, async ({ page }) => {
    await page.addInitScript(disturb)
    const username = await signUpWithPasswordOnPage(page)
    for (const path of ['/secure', '/passkeys', '/profile', '/profile/activity']) {
      await open(page, path)
      await expect(page.getByText('Something went wrong')).toHaveCount(0)
      await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
    }
    if (what.includes('time zone')) await expect(page.getByText(/\d\d:\d\d UTC/).first()).toBeVisible()
    await page.locator('header summary').click()
    await button(page, 'Sign out').click()
    await expect(page).toHaveURL('/signin')
    await submitSignIn(page, username)
    await expectProfile(page, username)
  })
}

/** Puts elements in place of the page's texts, also of later ones, as the translators of Chromium and Edge do. */
async function translate(page: Page): Promise<void> {
  // React hydrates a page in parts, and rightly makes one anew whose texts have changed before.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('button')].every((one) =>
      Object.keys(one).some((key) => key.startsWith('__reactProps')),
    ),
  )
  await page.evaluate(() => {
    const translated = new WeakSet<Node>()
    const replace = (text: Node) => {
      const parent = text.parentElement
      if (!parent || translated.has(parent) || !text.nodeValue?.trim()) return
      if (parent.closest('[translate=no], script, style, title')) return
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.textContent = text.nodeValue
      translated.add(inner)
      outer.append(inner)
      text.parentNode?.replaceChild(outer, text)
    }
    const replaceIn = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const texts = root instanceof Text ? [root] : []
      while (walker.nextNode()) texts.push(walker.currentNode as Text)
      texts.forEach(replace)
    }
    replaceIn(document.body)
    const observer = new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) if (node.isConnected) replaceIn(node)
    })
    observer.observe(document.body, { childList: true, subtree: true })
  })
}

test('on a page that the browser translates, new recovery codes are shown as they are', async ({ page }) => {
  await signedIn(page)
  await open(page, '/profile')
  await translate(page)
  await button(page, 'Create codes').click()
  const codes = page.locator('[data-sheet]').getByRole('listitem')
  await expect(codes).toHaveCount(10)
  await expect(codes.locator('font')).toHaveCount(0)
})

test('on a page that the browser translates, a wrong password is reported', async ({ page }) => {
  const username = await signedOut(page)
  await open(page, '/signin')
  await translate(page)
  await submitSignIn(page, username, 'a wrong password')
  await expect(alert(page)).toBeVisible()
  await expect(button(page, 'Sign in')).toBeEnabled()
})
