import { expect, test } from 'playwright/test'
import { browserName } from '@/lib/auth/request'

const onMac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const onWindows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const onPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)'
const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0'

const userAgents: [name: string, userAgent: string][] = [
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['Firefox on Android', 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0'],
  ['Firefox on iOS', `${onPhone} ${webkit} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`],
  ['Safari on iOS', `${onPhone} ${webkit} Version/18.0 Mobile/15E148 Safari/604.1`],
  [
    'Safari on iPadOS',
    `Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) ${webkit} Version/18.0 Mobile/15E148 Safari/604.1`,
  ],
  ['Safari on macOS', `${onMac} ${webkit} Version/18.0 Safari/605.1.15`],
  ['Chrome on macOS', `${onMac} ${blink} Safari/537.36`],
  ['Chrome on Windows', `${onWindows} ${blink} Safari/537.36`],
  ['Chrome on iOS', `${onPhone} ${webkit} CriOS/143.0.0.0 Mobile/15E148 Safari/604.1`],
  ['Chrome on Android', `Mozilla/5.0 (Linux; Android 10; K) ${blink} Mobile Safari/537.36`],
  ['Chrome on ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${blink} Safari/537.36`],
  [
    'Chrome on Linux',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/143.0.0.0 Safari/537.36',
  ],
  ['Microsoft Edge on Windows', `${onWindows} ${blink} Safari/537.36 Edg/143.0.0.0`],
  ['Opera on Windows', `${onWindows} ${blink} Safari/537.36 OPR/120.0.0.0`],
  [
    'Samsung Internet on Android',
    `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
  ],
]

test('a User-Agent header of each well-known browser and system is recognized', () => {
  expect(userAgents.map(([, userAgent]) => browserName(userAgent))).toEqual(userAgents.map(([name]) => name))
})

test('a User-Agent header that is missing, or names no known browser or system, has no name', () => {
  for (const userAgent of [null, '', 'curl/8.5.0', 'python-requests/2.32', '\u0000', 'x'.repeat(512), '/', 'Version/1'])
    expect(browserName(userAgent)).toBeNull()
})

test('a hostile User-Agent header cannot write a text of its own', () => {
  const call = 'Account blocked! Call +1 555 0100'
  const hostile: [string | null, string][] = [
    [null, call],
    [null, `${call}/1.0`],
    [null, `Mozilla/5.0 (${call}) ${call}/9.9`],
    ['Windows', `${call}/1.0 (Windows NT 10.0)`],
    ['Chrome', `Chrome/${call} ${call}/1.0`],
    ['Chrome on Windows', `Mozilla/5.0 (Windows NT ${call}) ${blink} ${call}/1.0`],
    ['Safari on macOS', `${onMac} ${webkit} Version/${call.replaceAll(' ', '')} Safari/${call}`],
    [null, '<script>alert(1)</script>/1.0'],
    [null, '\u202egnp.exe/1.0 __proto__/1 constructor/1'],
  ]
  for (const [name, userAgent] of hostile) expect(browserName(userAgent), userAgent).toBe(name)
})
