import { createPublicKey, randomBytes } from 'node:crypto'
import { generateKeyPair } from 'jose'
import { signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { test as base, expect } from '../../support/fixtures'
import { needs } from '../../support/machine/needs'
import type { Server } from '../../support/server/server'
import { accessKeyOf, accessTokenFor, resignAccess } from '../../support/tokens/access-tokens'
import { now, unsecured } from '../../support/tokens/tokens'
import { type SERVICES, type Service, startService } from '../../support/your-app/example-services'
import { APP } from '../../support/your-app/snippets'

const OTHER = 'https://other.example.com'

const test = base.extend<{ startServiceOf: (file: keyof typeof SERVICES, server: Server) => Promise<Service> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern.
  startServiceOf: async ({}, use) => {
    const started: Service[] = []
    await use(async (file, server) => {
      const service = await startService(file, { latchkey: server.origin, app: APP })
      started.push(service)
      return service
    })
    for (const service of started) service.stop()
  },
})

/** Access tokens and others that a service must reject. */
async function badTokens(server: Server, client: Client, session: string) {
  const token = await accessTokenFor(client, APP)
  const resigned = (change: Parameters<typeof resignAccess>[2]) => resignAccess(token, server.secret, change)
  const strange = await accessKeyOf(randomBytes(48).toString('base64'))
  const [jwk] = (await new Client(server).get('/.well-known/jwks.json')).body.keys
  const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }) as string
  return {
    'signed with another key under the same id': await resigned({ key: (await generateKeyPair('ES256')).privateKey }),
    'signed with the key of another secret': await resigned({
      key: { ...strange, alg: 'ES256' },
      header: { kid: strange.kid },
    }),
    expired: await resigned({ claims: { iat: now() - 400, exp: now() - 100 } }),
    'without expiry': await resigned({ claims: { exp: undefined } }),
    'for another app': await accessTokenFor(client, OTHER),
    'of another issuer': await resigned({ claims: { iss: 'https://evil.example' } }),
    'of another type': await resigned({ header: { typ: 'JWT' } }),
    'signed with the public key as a secret': await resigned({ header: { alg: 'HS256' }, key: Buffer.from(pem) }),
    'without a signature': unsecured(token),
    'unsecured with the old signature': unsecured(token, token.split('.')[2]),
    'a session token': session,
    'a step-up token': client.stepUp,
    'no token': undefined,
  }
}

for (const file of ['api.mjs', 'api.py'] as const)
  test(`the service in ${file} knows whose access token it gets and rejects every other token, also of a secret that was dropped, and answers 503 while it cannot read Latchkey's keys`, async ({
    start,
    startServiceOf,
  }) => {
    if (file === 'api.py') needs('PyJWT')
    const [OLD, NEW] = [randomBytes(48).toString('base64'), randomBytes(48).toString('base64')]
    const CLIENT_ORIGINS = `${APP},${OTHER}`
    const server = await start({ env: { CLIENT_ORIGINS, JWT_SECRET: OLD, JWT_SECRET_PREVIOUS: NEW } })
    const service = await startServiceOf(file, server)
    const client = new Client(server)
    const { id, username, token: session } = await signUp(client)
    const good = await accessTokenFor(client, APP)
    await server.kill('SIGTERM')
    expect((await service.ask(good)).status).toBe(503)
    expect((await service.ask()).status).toBe(401)
    await server.restart()
    await expect.poll(async () => (await service.ask(good)).status).toBe(200)
    expect(await service.ask(good)).toEqual({ status: 200, body: { id, username } })
    // Signing again by itself makes no token bad.
    expect((await service.ask(await resignAccess(good, server.secret))).status).toBe(200)
    const bad = Object.entries(await badTokens(server, client, session))
    const statuses = await Promise.all(bad.map(async ([what, token]) => [what, (await service.ask(token)).status]))
    expect(statuses).toEqual(bad.map(([what]) => [what, 401]))

    const shared = { CLIENT_ORIGINS, APP_ORIGIN: server.origin, PORT: `${server.port}` }
    await server.kill('SIGTERM')
    const swapped = await start({ beside: server, env: { ...shared, JWT_SECRET: NEW, JWT_SECRET_PREVIOUS: OLD } })
    const young = await accessTokenFor(new Client(swapped, { bearer: session }), APP)
    // It keeps the key set and has known the new key before that signed anything.
    for (const token of [good, young]) expect((await service.ask(token)).status).toBe(200)

    await swapped.kill('SIGTERM')
    await start({ beside: server, env: { ...shared, JWT_SECRET: NEW } })
    const after = await startServiceOf(file, server)
    expect([(await after.ask(young)).status, (await after.ask(good)).status]).toEqual([200, 401])
  })
