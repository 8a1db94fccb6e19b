import { type Answer, Client } from '../client'
import { expectError } from '../expectations'
import { test as base, expect } from '../fixtures'
import type { Server } from '../server/server'
import { APP, LATCHKEY } from './snippets'

export const DOMAIN = 'example.com'
export const WIKI = 'https://wiki.example.com:8443'
/** Listed, but not under the domain. */
export const ELSEWHERE = 'https://app.example.org'

/** Settings of a service that apps on sibling sub-domains rely on. */
export const SIBLINGS = {
  APP_ORIGIN: LATCHKEY,
  CLIENT_ORIGINS: [APP, WIKI, ELSEWHERE, 'capacitor://localhost'].join(','),
  ACCESS_COOKIE_DOMAIN: DOMAIN,
  RATE_LIMIT_ADDRESS_MAX: '100000',
}

export const test = base.extend({
  server: async ({ startShared }, use) => use(await startShared({ env: SIBLINGS })),
})

/** What a reverse proxy in front of an app asks, with the headers of the browser's request. */
export function askForwardAuth(server: Server, headers: Record<string, string> = {}, query = '') {
  return new Client(server).get(`/api/forward-auth${query}`, { headers })
}

/** As Caddy and Traefik ask for a page. */
export const forPage = (origin: string, uri = '/') => ({
  'X-Forwarded-Host': new URL(origin).host,
  'X-Forwarded-Uri': uri,
  Accept: 'text/html,application/xhtml+xml',
})

/** The Cookie header of the browser at an app of the domain. */
export const accessCookieOf = ({ jar }: Client) => ({ Cookie: `__Secure-access=${jar.get('__Secure-access')}` })

/** What forward-auth says of this person. */
export function expectIdentity(
  { status, text, headers }: Answer,
  who: { id: string; username: string },
  method = 'pwd',
) {
  expect([status, text]).toEqual([200, ''])
  const { 'remote-user': user, 'remote-user-id': id, 'remote-groups': groups, 'remote-method': by } = headers
  expect([user, id, groups, by]).toEqual([who.username, who.id, '', method])
  expect(headers['cache-control']).toBe('no-store')
}

export function expectNobody(answer: Answer) {
  expectError(answer, 401, 'not_signed_in')
  for (const name of Object.keys(answer.headers)) expect(name).not.toMatch(/^remote-|^location$/)
}

/** Where an answer leads, which no cache may keep. */
export const redirectOf = ({ status, headers }: Answer) => {
  expect(status).toBe(303)
  expect(headers['cache-control']).toBe('no-store')
  return headers.location ?? ''
}

/** The access cookie that an answer sets. */
export function accessCookieIn({ cookies }: Answer) {
  const found = cookies.filter(({ name }) => name.includes('access'))
  expect(found).toHaveLength(1)
  expect(found[0]).toMatchObject({
    name: '__Secure-access',
    attributes: {
      domain: DOMAIN,
      path: '/',
      httponly: true,
      secure: true,
      samesite: expect.stringMatching(/^lax$/i),
    },
  })
  return found[0]
}

/** As a link or a redirect of an app opens /api/access. */
export const openAccess = (client: Client, next: string) =>
  client.get(`/api/access?${new URLSearchParams({ next })}`, {
    headers: { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' },
  })
