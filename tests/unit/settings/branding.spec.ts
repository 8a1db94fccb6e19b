import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'playwright/test'
import { contrast, lightness, mix, withLightness } from '@/lib/colour'
import { palette, type Shades } from '@/lib/settings/branding'
import { LOGO_PNG, LOGO_SVG, LOGO_WEBP, logoFile } from '../../support/logos'
import { read } from '../../support/unit/settings'

function accentOf(APP_ACCENT: string) {
  const { settings, faults } = read({ APP_ACCENT })
  if (!settings?.accent) throw new Error(faults.join())
  return settings.accent
}

function expectFault(environment: Record<string, string>, name: string, right: string) {
  const { settings, faults } = read(environment)
  expect(settings).toBeUndefined()
  expect(faults, JSON.stringify(environment)).toEqual([expect.stringMatching(new RegExp(`^${name} must `))])
  expect(faults[0]).toContain(right)
}

function expectLegible(shades: Shades, { paper, surface }: { paper: string; surface: string }) {
  for (const ground of [paper, surface, shades.wash])
    expect(contrast(shades.accent, ground), ground).toBeGreaterThanOrEqual(4.5)
  for (const ground of [shades.accent, shades.strong])
    expect(contrast(shades.onAccent, ground), ground).toBeGreaterThanOrEqual(4.5)
  const other = shades.onAccent === '#ffffff' ? palette.light.ink : '#ffffff'
  expect(contrast(shades.onAccent, shades.accent)).toBeGreaterThanOrEqual(contrast(other, shades.accent))
  expect(shades.strong).not.toBe(shades.accent)
}

test.describe('colours', () => {
  test('the contrast of two colours is that of WCAG 2.2', () => {
    expect(contrast('#000000', '#ffffff')).toBe(21)
    expect(contrast('#ffffff', '#000000')).toBe(21)
    expect(contrast('#123456', '#123456')).toBe(1)
    // The greys on either side of 4.5:1 on white, as every checker has them.
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
    expect(contrast('#ff0000', '#ffffff')).toBeCloseTo(4.0, 2)
    expect(contrast('#0000ff', '#ffffff')).toBeCloseTo(8.59, 2)
  })

  test('a colour keeps its hue when its lightness changes, and is itself at its own', () => {
    for (const colour of ['#0c5a4d', '#7a1fa2', '#b00020', '#000000', '#0000ff'])
      expect(withLightness(colour, lightness(colour))).toBe(colour)
    expect(lightness('#ffffff')).toBeCloseTo(1, 4)
    expect(lightness('#000000')).toBeCloseTo(0, 4)
    const [red = 0, green = 0, blue = 0] = (/^#(..)(..)(..)$/.exec(withLightness('#b00020', 0.75)) ?? [])
      .slice(1)
      .map((hex) => Number.parseInt(hex, 16))
    expect(red).toBeGreaterThan(Math.max(green, blue) + 40)
    expect(withLightness('#0000ff', 1)).toBe('#ffffff')
    expect(mix('#000000', '#ffffff', 0.5)).toBe('#808080')
  })

  test('the shades of an accent are those of the pages that it stands on', () => {
    const css = readFileSync('app/globals.css', 'utf8')
    const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)')
    const declared = (text: string, name: string) => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(text)?.[1]
    const cssName = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const declaredIn = (theme: string, colours: object) =>
      Object.fromEntries(Object.keys(colours).map((name) => [name, declared(theme, cssName(name))]))
    expect(palette).toEqual({ light: declaredIn(light, palette.light), dark: declaredIn(dark, palette.dark) })
  })

  for (const APP_ACCENT of ['#0c5a4d', '#000000', '#0000ff', '#707070', '#c2185b'])
    test(`APP_ACCENT=${APP_ACCENT} is legible in both themes, as text and behind text`, () => {
      const { light, dark } = accentOf(APP_ACCENT)
      expect(light.accent).toBe(APP_ACCENT)
      expect(lightness(dark.accent)).toBeGreaterThanOrEqual(lightness(light.accent))
      expectLegible(light, palette.light)
      expectLegible(dark, palette.dark)
    })

  test('the dark theme lightens an accent no further than legibility asks', () => {
    const { dark } = accentOf('#7a1fa2')
    const darker = withLightness('#7a1fa2', lightness(dark.accent) - 0.02)
    expect(contrast(darker, mix(palette.dark.surface, darker, 0.12))).toBeLessThan(4.5)
  })

  test('APP_ACCENT is rejected below 4.5:1 on the light paper, with the nearest colour that reaches it', () => {
    // A few steps apart, on either side.
    expectFault({ APP_ACCENT: '#747474' }, 'APP_ACCENT', '4.5:1')
    expect(read({ APP_ACCENT: '#6f6f6f' }).faults).toEqual([])
    const { faults } = read({ APP_ACCENT: '#FFCC00' })
    expect(faults).toEqual([expect.stringMatching(/#ffcc00 reaches 1\.\d+:1, and #[\da-f]{6} is the nearest/)])
    const [, nearest = ''] = /and (#[\da-f]{6})/.exec(faults[0] ?? '') ?? []
    expect(read({ APP_ACCENT: nearest }).faults).toEqual([])
    for (const value of ['green', '#0c5', '0c5a4d', '#0c5a4d80', '#0c5a4g', 'rgb(0,0,0)'])
      expectFault({ APP_ACCENT: value }, 'APP_ACCENT', 'such as #0c5a4d')
  })
})

test.describe('a logo', () => {
  test('a logo is a file whose content says what it is, or an https URL', () => {
    const svg = read({ APP_LOGO: logoFile(LOGO_SVG, 'logo.png') }).settings?.logo
    expect(svg).toMatchObject({ light: { url: '/brand/logo', file: { type: 'image/svg+xml' } }, dark: null })
    const both = { APP_LOGO: logoFile(LOGO_PNG), APP_LOGO_DARK: `file:${logoFile(LOGO_WEBP)}` }
    expect(read(both).settings).toMatchObject({
      logo: {
        light: { url: '/brand/logo', file: { type: 'image/png' } },
        dark: { url: '/brand/logo-dark', file: { type: 'image/webp' } },
      },
      logoOrigins: [],
    })
    const urls = {
      APP_LOGO: 'https://www.example.com/a/logo.svg?v=1',
      APP_LOGO_DARK: 'https://CDN.example.com:8443/b',
    }
    expect(read(urls).settings).toMatchObject({
      logo: { light: { url: urls.APP_LOGO, file: null }, dark: { url: 'https://cdn.example.com:8443/b' } },
      logoOrigins: ['https://www.example.com', 'https://cdn.example.com:8443'],
    })
  })

  test('an SVG may begin with a declaration, comments and a document type', () => {
    const before = [
      '\uFEFF',
      '<?xml version="1.0" encoding="UTF-8"?>\n<!-- Made by hand -->\n',
      '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">',
      '<!DOCTYPE svg [ <!ENTITY x "y"> ]>',
    ]
    for (const text of before) expect(read({ APP_LOGO: logoFile(text + LOGO_SVG) }).faults, text).toEqual([])
  })

  test('a logo that browsers would not show, or that is too large, stops the start and is named', () => {
    const kinds = 'an SVG (with its xmlns), PNG or WebP'
    const wrong: [content: string | Uint8Array, right: string][] = [
      ['', kinds],
      ['GIF89a', kinds],
      ['<html><svg xmlns="http://www.w3.org/2000/svg"></svg></html>', kinds],
      ['<svg viewBox="0 0 1 1"></svg>', kinds],
      [new Uint8Array([0x89, 0x50, 0x4e, 0x47]), kinds],
      [LOGO_SVG.padEnd(256 * 1024 + 1), 'at most 256 KiB'],
    ]
    for (const [content, right] of wrong) expectFault({ APP_LOGO: logoFile(content) }, 'APP_LOGO', right)
    expect(read({ APP_LOGO: logoFile(LOGO_SVG.padEnd(256 * 1024)) }).faults).toEqual([])
    expectFault({ APP_LOGO: '/nowhere/logo.svg' }, 'APP_LOGO', '/nowhere/logo.svg cannot be read (ENOENT)')
    expectFault({ APP_LOGO: tmpdir() }, 'APP_LOGO', 'must be a file')
    expectFault({ APP_LOGO: '/dev/zero' }, 'APP_LOGO', 'must be a file')
    expectFault({ APP_LOGO_DARK: logoFile(LOGO_SVG) }, 'APP_LOGO_DARK', 'without APP_LOGO')
  })

  test('the URL of a logo cannot widen the Content-Security-Policy', () => {
    const hosts = [
      'http://www.example.com',
      'https://*.example.com',
      "https://a;script-src'",
      'https://me:pw@a.example',
    ]
    for (const host of [...hosts, 'data:image/png', 'javascript:', 'ftp://a.example'])
      expectFault({ APP_LOGO: `${host}/logo.svg` }, 'APP_LOGO', 'an https URL')
  })
})

test.describe('links', () => {
  test('links are https URLs or paths of this site, and support may be an e-mail address', () => {
    const links = {
      HOME_URL: '/notes',
      TERMS_URL: 'https://www.example.com/terms',
      PRIVACY_URL: 'http://localhost:5173/p',
    }
    expect(read({ ...links, SUPPORT_URL: 'mailto:help@example.com' }).settings).toMatchObject({
      homeUrl: links.HOME_URL,
      termsUrl: links.TERMS_URL,
      privacyUrl: links.PRIVACY_URL,
      supportUrl: 'mailto:help@example.com',
    })
    const wrong = [
      'javascript:alert(1)',
      'www.example.com',
      'http://www.example.com',
      '//evil.example',
      '/\\evil.example',
      'data:,x',
    ]
    for (const name of ['HOME_URL', 'TERMS_URL', 'PRIVACY_URL', 'SUPPORT_URL'])
      for (const value of wrong) expectFault({ [name]: value }, name, 'an https URL')
    expectFault({ TERMS_URL: 'mailto:help@example.com' }, 'TERMS_URL', 'an https URL')
    expectFault({ SUPPORT_URL: 'mailto:help' }, 'SUPPORT_URL', 'mailto:help@example.com')
  })

  test('HOME_URL cannot be a page that leads a signed-in person to HOME_URL', () => {
    const APP_ORIGIN = 'https://id.example.com,https://other.example.com'
    for (const HOME_URL of [
      '/signin',
      '/signup?a=b',
      'https://id.example.com/signin',
      'https://other.example.com/signup/',
    ])
      expectFault({ APP_ORIGIN, RP_ID: 'example.com', HOME_URL }, 'HOME_URL', 'a page of your app')
    for (const HOME_URL of ['/', '/profile', '/signin/help', '/signupsheet', 'https://app.example.com/signin'])
      expect(read({ APP_ORIGIN, RP_ID: 'example.com', HOME_URL }).faults).toEqual([])
  })
})
