import { expect, test } from 'playwright/test'
import { pageHeaders } from '@/lib/http/response/headers'

function directives(development: boolean, imageOrigins?: string[]): Map<string, string> {
  const options = { nonce: 'bm9uY2U=', secure: false, development, ...(imageOrigins && { imageOrigins }) }
  const policy = pageHeaders(options)['Content-Security-Policy'] ?? ''
  return new Map(policy.split('; ').map((directive) => [directive.split(' ', 1)[0] ?? '', directive]))
}

test('inline style attributes and event handlers are blocked in development as in production', () => {
  for (const development of [true, false]) {
    const policy = directives(development)
    expect(policy.get('style-src-attr')).toBe("style-src-attr 'none'")
    expect(policy.get('script-src')).not.toContain('unsafe-inline')
    expect(policy.get('style-src')).toBe("style-src 'self' 'nonce-bm9uY2U='")
  }
})

test("development's policy differs only in what React's error reports and Next's overlay need", () => {
  const [development, production] = [directives(true), directives(false)]
  const differing = [...development].filter(([name, directive]) => production.get(name) !== directive)
  expect(differing.map(([, directive]) => directive)).toEqual([
    `${production.get('script-src')} 'unsafe-eval'`,
    "style-src-elem 'self' 'unsafe-inline'",
  ])
})

test("images come from this origin, and from those of the adopter's logo only", () => {
  expect(directives(false).get('img-src')).toBe("img-src 'self' data:")
  const origins = ['https://www.example.com', 'https://cdn.example.com']
  expect(directives(false, origins).get('img-src')).toBe(`img-src 'self' data: ${origins.join(' ')}`)
})
