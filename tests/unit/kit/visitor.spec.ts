import { createServer } from 'node:http'
import { expect, test } from 'playwright/test'
import { Visitor } from '../../../packages/kit/src/testing/visitor'
import { listenLocally } from '../../support/network/listen-locally'

test('what signs people of tests in sends a cookie where a browser would, and nowhere else', async () => {
  const lines = [
    'host=1; Path=/',
    'domain=2; Path=/; Domain=localhost',
    'below=3',
    'secure=4; Path=/; Secure',
    'foreign=5; Path=/; Domain=example.com',
    'ended=6; Path=/; Max-Age=0',
    'past=7; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    'replaced=8; Path=/',
    'replaced=9; Path=/; Max-Age=60',
    'no pair',
  ]
  const { port, close } = await listenLocally(
    createServer((_, response) => response.setHeader('Set-Cookie', lines).end()),
  )
  const visitor = new Visitor()
  await visitor.open(new URL(`http://localhost:${port}/auth/callback`))
  await close()
  const sent = (url: string) => visitor.cookieHeader(new URL(url))
  const here = 'host=1; domain=2; secure=4; replaced=9'
  expect(sent(`http://localhost:${port}/`)).toBe(here)
  // Ports share cookies (RFC 6265 section 8.5).
  expect(sent('http://localhost:5173/authentic')).toBe(here)
  expect(sent('http://localhost/auth/me')).toBe(`below=3; ${here}`)
  expect(sent('http://app.localhost/')).toBe('domain=2')
  for (const url of [
    'http://notlocalhost/',
    'http://localhost.example.com/',
    'http://127.0.0.1/',
    'http://example.com/',
  ])
    expect(sent(url), url).toBe('')
})
