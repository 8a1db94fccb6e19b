import type { Page } from 'playwright/test'
import { alert, button, expect, open, signedIn, signedOut, submitSignIn, test } from '../../support/browser/pages'

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
