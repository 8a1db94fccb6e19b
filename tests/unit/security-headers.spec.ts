import { expect, test } from 'playwright/test'
import { securityHeaders } from '@/lib/http/security-headers'

function directives(development: boolean): Map<string, string> {
  const policy = securityHeaders('bm9uY2U=', false, development)['Content-Security-Policy'] ?? ''
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
