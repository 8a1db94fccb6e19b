import { expect, test } from 'playwright/test'
import { browserName } from '@/lib/auth/browser-name'

const userAgents: [string, string][] = [
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  [
    'Safari on iOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  ],
  [
    'Microsoft Edge on Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
  ],
]

test('names a browser and its system from the User-Agent header', () => {
  for (const [name, userAgent] of userAgents) expect(browserName(userAgent)).toBe(name)
})

test('returns no name when the User-Agent header is missing or empty', () => {
  expect(browserName('')).toBeNull()
  expect(browserName(null)).toBeNull()
})

test('keeps names short whatever the User-Agent header contains', () => {
  for (const userAgent of ['curl/8.5.0', '<script>alert(1)</script>', '\u0000', 'x'.repeat(512)])
    expect(browserName(userAgent)?.length ?? 0).toBeLessThan(100)
})
