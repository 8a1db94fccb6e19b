import '../support/unit-environment'
import { expect, test } from 'playwright/test'
import { browserName } from '@/lib/auth/browser-name'
import { afterResponse } from '@/lib/process/after-response'

const vercelContext = Symbol.for('@vercel/request-context')

test('work after a response starts after it, and Vercel waits for it even if it fails', async () => {
  const waited: Promise<unknown>[] = []
  const steps: string[] = []
  Object.assign(globalThis, {
    [vercelContext]: { get: () => ({ waitUntil: (work: Promise<unknown>) => waited.push(work) }) },
  })
  afterResponse(async () => steps.push('work'))
  afterResponse(() => Promise.reject(new Error('planted')))
  Reflect.deleteProperty(globalThis, vercelContext)
  await Promise.resolve()
  steps.push('answer')
  expect(waited).toHaveLength(2)
  await Promise.all(waited)
  expect(steps).toEqual(['answer', 'work'])
})

test('a browser has its common name, and other clients have none', () => {
  const named: [string | null, string | null][] = [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
      'Microsoft Edge on Windows',
    ],
    ['', null],
    [null, null],
  ]
  for (const [header, name] of named) expect(browserName(header)).toBe(name)
  for (const odd of ['curl/8.5.0', '<script>alert(1)</script>', '\u0000', 'x'.repeat(512)])
    expect(browserName(odd)?.length ?? 0).toBeLessThan(100)
})
