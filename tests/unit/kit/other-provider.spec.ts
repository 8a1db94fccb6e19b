import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
// @ts-expect-error The package has no types.
import Provider from 'oidc-provider'
import { expect, test } from 'playwright/test'
import { latchkey } from '../../../packages/kit/src/web'
import { Browser } from './browser'

test('latchkey-kit signs in and out with oidc-provider, which gives its claims at userinfo', async () => {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'notes',
        client_secret: 'secret:of/notes',
        redirect_uris: ['http://localhost:3000/auth/callback'],
        post_logout_redirect_uris: ['http://localhost:3000/'],
      },
    ],
    claims: { openid: ['sub'], profile: ['preferred_username', 'name'], email: ['email', 'email_verified'] },
    cookies: { keys: ['key'] },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    interactions: { url: () => '/interaction' },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        preferred_username: 'ada',
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        email_verified: true,
      }),
    }),
    async loadExistingGrant(ctx: never) {
      const { client, session } = (ctx as { oidc: { client: { clientId: string }; session: { accountId: string } } })
        .oidc
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  server.on('request', async (request, response) => {
    if (request.url === '/interaction')
      await provider.interactionFinished(request, response, { login: { accountId: 'person-1' } })
    else answer(request, response)
  })

  const app = latchkey({
    issuer,
    clientId: 'notes',
    clientSecret: 'secret:of/notes',
    sessionSecret: 'a-secret-of-this-app-alone-of-32-characters',
  })
  const browser = new Browser(app.handle)
  const location = await browser.begin()
  // It has no scope `groups`.
  expect(new URL(location).searchParams.get('scope')).toBe('openid profile email')
  const atProvider = new Browser((request) => fetch(request, { redirect: 'manual' }), issuer)
  const follow = async (address: string): Promise<string> => {
    const next = (await atProvider.send(address)).headers.get('location') ?? ''
    const absolute = new URL(next, issuer)
    return absolute.origin === issuer ? follow(absolute.href) : absolute.search.slice(1)
  }
  const back = await browser.back(await follow(location))
  expect([back.status, back.headers.get('location')]).toEqual([303, 'http://localhost:3000/notes'])
  expect(await app.auth(browser.request('/'))).toEqual({
    id: 'person-1',
    username: 'ada',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    groups: [],
  })
  const out = await browser.send('/auth/sign-out', { method: 'POST' })
  const asked = await atProvider.send(out.headers.get('location') ?? '')
  // Its page asks, because it knows the hint and the address to come back to.
  expect([asked.status, (await asked.text()).includes('Do you want to sign-out')]).toEqual([200, true])
  server.close().closeAllConnections()
})
