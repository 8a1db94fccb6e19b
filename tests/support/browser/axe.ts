import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright/test'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** WCAG 2.2 up to AA, axe's best practices, and that a control's name contains its visible label (2.5.3). */
const all: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: { 'label-content-name-mismatch': { enabled: true } },
  // Of what passes, axe need not list every element.
  resultTypes: ['violations'],
}

/** The violations that axe finds in the page: all rules in the light theme, colours alone in the dark one. */
export async function findViolations(page: Page): Promise<string[]> {
  // Evaluated: the page's policy would block a script element.
  await page.evaluate(source)
  const inLight = await run(page, 'light', all)
  const inDark = await run(page, 'dark', { runOnly: ['color-contrast'], resultTypes: ['violations'] })
  await page.emulateMedia({ colorScheme: 'light' })
  return [...inLight, ...inDark]
}

async function run(page: Page, colorScheme: 'light' | 'dark', options: RunOptions) {
  await page.emulateMedia({ colorScheme })
  // Elements take an inherited colour over one after the other, however short its transition is. Chromium lists those of what
  // is folded away when they have finished, too.
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState === 'finished'))
  const { violations } = await page.evaluate(async (options) => {
    const { axe } = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }
    return axe.run(options)
  }, options)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${colorScheme}: ${id} at ${target}`))
}
