import * as z from 'zod'
import { contrast, lightness, mix, withLightness } from '@/lib/colour'

/** The colours of app/globals.css by its names; a test compares both. */
export const palette = {
  light: {
    paper: '#f5f5f1',
    surface: '#fffffd',
    line: '#e0e0d8',
    ink: '#161b19',
    muted: '#565e59',
    accent: '#0c5a4d',
    onAccent: '#f8fffb',
  },
  dark: {
    paper: '#0c100f',
    surface: '#141b19',
    line: '#2a3431',
    ink: '#e8eeea',
    muted: '#98a49e',
    accent: '#64c5aa',
    onAccent: '#04201a',
  },
} as const

/** The accent of one theme, and the shades that go with it. */
export interface Shades {
  accent: string
  /** The accent under the pointer. */
  strong: string
  /** A background for text in the accent. */
  wash: string
  /** Text on the accent: white or ink. */
  onAccent: string
}

/** The contrast between text and its background (WCAG 2.2, 1.4.3). */
const minContrast = 4.5

/** @param text `#rrggbb` that reaches 4.5:1 as text on the light paper */
export function readAccent(text: string, context: z.core.$RefinementCtx): { light: Shades; dark: Shades } {
  const accent = text.toLowerCase()
  if (!/^#[\da-f]{6}$/.test(accent))
    context.addIssue(`must be a colour as #rrggbb, such as #0c5a4d; "${text}" is not one`)
  else if (contrast(accent, palette.light.paper) < minContrast) context.addIssue(tooLight(accent))
  else return { light: lightShades(accent), dark: darkShades(accent) }
  return z.NEVER
}

/** Says what is wrong. Rounds the ratio down, so that one that is just too low does not look sufficient. */
function tooLight(accent: string): string {
  const ratio = Math.floor(contrast(accent, palette.light.paper) * 100) / 100
  const nearest = findLightness(accent, -1, (shade) => contrast(shade, palette.light.paper) >= minContrast)
  return `must reach a contrast of ${minContrast}:1 as text on the light paper (${palette.light.paper}); ${accent} reaches ${ratio}:1, and ${nearest} is the nearest that does`
}

function lightShades(accent: string): Shades {
  const { surface } = palette.light
  let share = 0.12
  while (contrast(accent, mix(surface, accent, share)) < minContrast) share -= 0.01
  const level = lightness(accent)
  // A colour that is nearly black has no room to get darker.
  const strong = withLightness(accent, level < 0.25 ? level + 0.2 : level - 0.07)
  return { accent, strong, wash: mix(surface, accent, share), onAccent: textOn(accent) }
}

/** Lightens the accent until it is legible on all its backgrounds, and its own text on it. */
function darkShades(given: string): Shades {
  const washOf = (colour: string) => mix(palette.dark.surface, colour, 0.12)
  const accent = findLightness(given, 1, (shade) =>
    [palette.dark.paper, palette.dark.surface, washOf(shade), textOn(shade)].every(
      (other) => contrast(shade, other) >= minContrast,
    ),
  )
  const strong = withLightness(accent, Math.min(lightness(accent) + 0.08, 1))
  return { accent, strong, wash: washOf(accent), onAccent: textOn(accent) }
}

const textOn = (accent: string) =>
  contrast(accent, '#ffffff') >= contrast(accent, palette.light.ink) ? '#ffffff' : palette.light.ink

/** The first colour that will do on the way to white (1) or black (-1). */
function findLightness(colour: string, direction: 1 | -1, willDo: (shade: string) => boolean): string {
  const step = direction / 200
  let shade = colour
  for (let level = lightness(colour) + step; !willDo(shade) && level >= 0 && level <= 1; level += step)
    shade = withLightness(colour, level)
  return shade
}
