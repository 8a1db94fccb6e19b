import type { Page } from 'playwright/test'
import { expect } from './pages'

/** Expects that the page is as wide as the screen, and that none of its text is cut off. */
export async function expectToFit(page: Page, what: string) {
  // Not window.innerWidth, which on a phone grows with a page that is too wide.
  const screen = page.viewportSize()?.width ?? 0
  const fit = await page.evaluate((screen) => {
    const hasText = ({ childNodes }: Element) =>
      [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())
    const isOutside = (element: Element) => {
      const { left, right, width } = element.getBoundingClientRect()
      // The operators' navigation scrolls.
      if (element.closest('header nav *')) return false
      return width > 1 && (left < -1 || right > screen + 1)
    }
    // A field clips as well, and scrolls.
    const isClipping = (element: Element) =>
      element.tagName !== 'INPUT' && getComputedStyle(element).overflowX === 'clip'
    const isScrolling = (element: Element) =>
      element.tagName === 'PRE' && getComputedStyle(element).overflowX === 'auto'
    const isCutOff = (element: Element) =>
      (hasText(element) || isClipping(element)) &&
      !isScrolling(element) &&
      element.clientWidth > 1 &&
      element.scrollWidth > element.clientWidth + 1
    return {
      width: document.documentElement.scrollWidth,
      // What stands in .truncate ends in an ellipsis.
      spilling: [...document.querySelectorAll(':is(main, header, footer) *:not(.truncate *)')]
        .filter((element) => element.checkVisibility() && (isOutside(element) || isCutOff(element)))
        .map(({ outerHTML }) => outerHTML.slice(0, 100)),
    }
  }, screen)
  expect(fit, what).toEqual({ width: screen, spilling: [] })
}

/** Expects that everything on the page fits a phone, also with text of 200 %, with all open that can be. */
export async function expectToFitPhone(page: Page, what: string) {
  const folded = page.locator('main:not(:has([data-sheet])) button[id$="-open"]')
  while ((await folded.count()) > 0) await folded.first().click()
  for (const [width, text] of [
    [320, '100%'],
    [375, '200%'],
  ] as const) {
    await page.setViewportSize({ width, height: 640 })
    await page.evaluate((text) => {
      document.documentElement.style.fontSize = text
      for (const details of document.querySelectorAll('details')) details.open = true
      document.querySelector<HTMLElement>('[popover]')?.showPopover()
    }, text)
    await expectToFit(page, `${what}, ${width} pixels wide with text of ${text}`)
  }
}

/** Words of up to ten letters that are broken between two lines. What people have named may break anywhere. */
export const brokenWords = (page: Page) =>
  page.evaluate(() => {
    const broken: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (node.parentElement?.closest('[translate=no]')) continue
      for (const { 0: word, index } of node.nodeValue?.matchAll(/\p{L}+/gu) ?? []) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        if (word.length <= 10 && lines.size > 1) broken.push(word)
      }
    }
    return broken
  })
