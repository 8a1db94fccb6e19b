import { decodeJwt } from 'jose'
import { signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expect } from '../../support/fixtures'
import {
  accessCookieIn,
  accessCookieOf,
  askForwardAuth,
  ELSEWHERE,
  expectIdentity,
  forPage,
  openAccess,
  redirectOf,
  SIBLINGS,
  test,
  WIKI,
} from '../../support/your-app/sibling-apps'
import { APP } from '../../support/your-app/snippets'

test.describe('/api/access', () => {
  test('/api/access renews the access cookie on the way to an app', async ({ server }) => {
    const client = new Client(server)
    const who = await signUp(client)
    client.jar.delete('__Secure-access')
    const address = `${WIKI}/page?a=b&c=d#e`
    const answer = await openAccess(client, address)
    expect(redirectOf(answer)).toBe(address)
    const { exp } = decodeJwt(accessCookieIn(answer)?.value ?? '')
    expect(exp).toBe(decodeJwt(who.token).exp)
    expectIdentity(await askForwardAuth(server, { ...accessCookieOf(client), ...forPage(WIKI) }), who)
  })

  test('/api/access leads to the sign-in page without a valid session, and sets no cookie', async ({ server }) => {
    const gone = new Client(server)
    await signUp(gone)
    const jar = new Map(gone.jar)
    await gone.post('/api/signout')
    for (const [name, value] of jar) gone.jar.set(name, value)
    for (const client of [new Client(server), gone]) {
      const answer = await openAccess(client, `${APP}/page?a=b`)
      expect(redirectOf(answer)).toBe(`/signin?${new URLSearchParams({ next: `${APP}/page?a=b` })}`)
      expect(answer.cookies).toEqual([])
    }
  })

  /** One of each kind that unit/http/redirects.spec.ts tries. */
  const HOSTILE = [
    'https://evil.example/',
    '//evil.example',
    'https://app.example.com@evil.com/',
    'javascript:alert(1)//https://app.example.com/',
    '',
  ]

  test('/api/access leads to no address that is not listed, however it is written', async ({ server }) => {
    const client = new Client(server)
    await signUp(client)
    for (const next of HOSTILE) {
      expect(redirectOf(await openAccess(client, next)), next).toBe('/profile')
      expect(redirectOf(await openAccess(new Client(server), next)), next).toBe('/signin?next=%2Fprofile')
    }
    for (const query of ['', '?next', `?next=${APP}&next=https://evil.example`]) {
      const answer = await client.get(`/api/access${query}`)
      expect(redirectOf(answer), query).toBe('/profile')
    }
  })

  test('/signin and /signup send a signed-in person to an app by way of /api/access', { tag: '@pages' }, async ({
    start,
  }) => {
    const server = await start({ mode: 'node', env: SIBLINGS })
    const client = new Client(server)
    await signUp(client)
    const open = (path: string, next: string) => client.get(`${path}?${new URLSearchParams({ next })}`)
    // A fragment of its own, or the browser would carry an invitation's on.
    for (const [path, end] of [
      ['/signin', ''],
      ['/signup', '#'],
    ] as const) {
      const there = await open(path, `${APP}/page?a=b`)
      expect([there.status, there.headers.location]).toEqual([
        307,
        `/api/access?${new URLSearchParams({ next: `${APP}/page?a=b` })}${end}`,
      ])
      expect((await open(path, `${ELSEWHERE}/x`)).headers.location).toBe(`${ELSEWHERE}/x${end}`)
      expect((await open(path, 'capacitor://localhost/x')).headers.location).toBe(`capacitor://localhost/x${end}`)
      for (const next of HOSTILE) expect((await open(path, next)).headers.location, next).toBe(`/profile${end}`)
    }
  })
})
