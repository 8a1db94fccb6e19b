import { readFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'
import { contrast } from '@/lib/colour'

const [light = '', dark = ''] = readFileSync('app/globals.css', 'utf8').split('@media (prefers-color-scheme: dark)')

const coloursOf = (css: string) =>
  Object.fromEntries([...css.matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map(([, name, colour]) => [name, colour]))

const themes = {
  light: coloursOf(light.slice(0, light.indexOf('@theme'))),
  // Print's colours come after the theme's names.
  dark: coloursOf(dark.slice(0, dark.indexOf('@theme'))),
}

const grounds = ['paper', 'surface', 'sunken', 'accent-wash', 'success-wash']

/** Text on the grounds that it stands on, and the edges by which controls and cards are told from them. */
const rules: [colour: string, grounds: string[], least: number][] = [
  ['ink', [...grounds, 'danger-wash'], 4.5],
  ['muted', [...grounds, 'danger-wash'], 4.5],
  ['accent', grounds, 4.5],
  ['success', ['surface', 'success-wash'], 4.5],
  ['danger', ['paper', 'surface', 'danger-wash'], 4.5],
  ['on-accent', ['accent', 'accent-strong'], 4.5],
  ['surface', ['danger', 'danger-strong'], 4.5],
  ['edge', grounds, 3],
]

for (const [theme, colours] of Object.entries(themes))
  test(`text has a contrast of 4.5 and edges of 3 in the ${theme} theme (WCAG 2.2, 1.4.3 and 1.4.11)`, () => {
    for (const [colour, on, least] of rules)
      for (const ground of on)
        expect(contrast(colours[colour] ?? '', colours[ground] ?? ''), `${colour} on ${ground}`).toBeGreaterThanOrEqual(
          least,
        )
  })
