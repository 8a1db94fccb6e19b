import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import * as z from 'zod'
import { contrast, lightness, mix, withLightness } from '@/lib/colour'
import { addFault, isWebOrigin } from './fields'

export interface Logo {
  /** Where pages find it: our own path, or an https URL */
  url: string
  /** The file that we serve at our own path */
  file: LogoFile | null
}

interface LogoFile {
  bytes: Uint8Array<ArrayBuffer>
  type: 'image/svg+xml' | 'image/png' | 'image/webp'
  etag: string
}

const maxKibibytes = 256

/**
 * Reads APP_LOGO or APP_LOGO_DARK: an https URL, or the path of a file.
 *
 * @param path where we serve the file
 */
const readLogo =
  (path: string) =>
  (text: string, context: z.core.$RefinementCtx): Logo => {
    if (/^(?!file:)[a-z][a-z\d+.-]+:/i.test(text)) {
      if (isImageUrl(text)) return { url: new URL(text).href, file: null }
      context.addIssue(
        `must be an https URL, such as https://www.example.com/logo.svg, or a file; "${text}" is neither`,
      )
      return z.NEVER
    }
    const name = text.replace(/^file:(\/\/)?/, '')
    const { file, fault } = readFile(name)
    if (file) return { url: path, file }
    context.addIssue(fault)
    return z.NEVER
  }

/** Rejects unusual hosts: the origin goes into the Content-Security-Policy, where a host's `*` or `;` would mean more. */
function isImageUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  return url?.protocol === 'https:' && /^[\w.-]+$/.test(url.hostname) && url.username + url.password === ''
}

type Read = { file: LogoFile; fault?: never } | { file?: never; fault: string }

function readFile(name: string): Read {
  try {
    // Checks before reading, because a device or a pipe has no end.
    const found = statSync(name)
    if (!found.isFile()) return { fault: `must be a file, or an https URL; ${name} is neither` }
    if (found.size > maxKibibytes * 1024)
      return { fault: `must have at most ${maxKibibytes} KiB; ${name} has ${Math.ceil(found.size / 1024)} KiB` }
    const bytes = new Uint8Array(readFileSync(name))
    const type = typeOf(bytes)
    if (type === null) return { fault: `must be an SVG (with its xmlns), PNG or WebP; ${name} is none of these` }
    return { file: { bytes, type, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` } }
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error)
    return { fault: `must be a file that can be read, or an https URL; ${name} cannot be read (${reason})` }
  }
}

/** Recognizes the type by content, because a name proves nothing. */
function typeOf(bytes: Uint8Array): LogoFile['type'] | null {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'image/webp'
  return isSvg(Buffer.from(bytes).toString('utf8')) ? 'image/svg+xml' : null
}

/**
 * Requires the namespace, without which browsers show no image. Only a declaration, comments and a document type may precede the
 * root.
 */
function isSvg(text: string): boolean {
  const before =
    /^\uFEFF?\s*(?:(?:<\?[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?\s*>)\s*)*/i.exec(text)?.[0] ?? ''
  const [root = ''] = /^<svg\s[^>]*>/.exec(text.slice(before.length)) ?? []
  return /\sxmlns\s*=\s*["'](http:\/\/www\.w3\.org\/2000\/svg|&ns_svg;)["']/.test(root)
}

const ownSite = 'http://here.invalid'

/** True for a path of our own site; browsers take `//host` and `/\host` for other sites. */
const isPath = (text: string) =>
  text.startsWith('/') && URL.canParse(text, ownSite) && new URL(text, ownSite).origin === ownSite

/** https, or http on this machine. */
const isWebUrl = (text: string) => URL.canParse(text) && isWebOrigin(new URL(text).origin)

const pageUrl = z
  .string()
  .refine(
    (text) => isPath(text) || isWebUrl(text),
    'must be an https URL, such as https://www.example.com/page, or a path of this site, such as /page',
  )

export const brandingSchema = z
  .object({
    APP_LOGO: z.string().transform(readLogo('/brand/logo')).optional(),
    APP_LOGO_DARK: z.string().transform(readLogo('/brand/logo-dark')).optional(),
    APP_ACCENT: z.string().transform(readAccent).optional(),
    HOME_URL: pageUrl.optional(),
    TERMS_URL: pageUrl.optional(),
    PRIVACY_URL: pageUrl.optional(),
    SUPPORT_URL: z
      .string()
      .refine(
        (text) => isPath(text) || isWebUrl(text) || /^mailto:[^\s@]+@[^\s@]+$/.test(text),
        'must be an https URL, a path of this site such as /help, or mailto:help@example.com',
      )
      .optional(),
  })
  .transform((given, context) => {
    if (given.APP_LOGO_DARK && !given.APP_LOGO)
      addFault(context, 'APP_LOGO_DARK', 'must not be set without APP_LOGO, which the light theme shows')
    return {
      /** Null for our own mark and the name. Without a dark one, both themes show the same. */
      logo: given.APP_LOGO ? { light: given.APP_LOGO, dark: given.APP_LOGO_DARK ?? null } : null,
      /** The origins of logos that other hosts serve. */
      logoOrigins: [...new Set([given.APP_LOGO, given.APP_LOGO_DARK].flatMap(originOf))],
      /** Null for our own green. */
      accent: given.APP_ACCENT ?? null,
      /** The page that signed-in people go on to. */
      homeUrl: given.HOME_URL ?? null,
      termsUrl: given.TERMS_URL ?? null,
      privacyUrl: given.PRIVACY_URL ?? null,
      supportUrl: given.SUPPORT_URL ?? null,
    }
  })

const originOf = (logo: Logo | undefined) => (logo && !logo.file ? [new URL(logo.url).origin] : [])

/** Keeps HOME_URL from naming one of these pages, which lead a signed-in person to HOME_URL. */
export function checkHome(
  homeUrl: string | null,
  origins: [string, ...string[]],
  context: z.core.$RefinementCtx,
): void {
  if (homeUrl === null) return
  const { origin, pathname } = new URL(homeUrl, origins[0])
  if (origins.includes(origin) && /^\/(signin|signup)\/?$/.test(pathname))
    addFault(context, 'HOME_URL', 'must be a page of your app, not the sign-in page, which leads there')
}

/** The colours of app/globals.css by its names; a test compares both. */
export const palette = {
  light: {
    paper: '#f5f5f1',
    surface: '#fffffd',
    line: '#e0e0d8',
    ink: '#161b19',
    muted: '#565e59',
    accent: '#0c5a4d',
    accentWash: '#e2efe9',
    onAccent: '#f8fffb',
  },
  dark: {
    paper: '#0c100f',
    surface: '#141b19',
    line: '#2a3431',
    ink: '#e8eeea',
    muted: '#98a49e',
    accent: '#64c5aa',
    accentWash: '#15302a',
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
function readAccent(text: string, context: z.core.$RefinementCtx): { light: Shades; dark: Shades } {
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
