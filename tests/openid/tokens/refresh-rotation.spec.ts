import { createHash } from 'node:crypto'
import { signUp } from '../../support/accounts'
import { eventsOf } from '../../support/events'
import { CALLBACK, expect, test } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { expectEnded, expectOAuthError } from '../../support/openid/requests'
import { afterTenSeconds, alterCode, readCode } from '../../support/openid/stored-codes'
import { logLines } from '../../support/server/server-log'

test('within ten seconds a repeat of a refresh by the same app gets the newest token, also after further refreshes', async ({
  client,
  app,
}) => {
  await signUp(client)
  const flow = new Flow(client, app)
  let newest = (await flow.lastingTokens()).refresh_token
  const used: string[] = []
  while (used.length < 4) {
    used.push(newest)
    newest = (await flow.refresh(newest)).body.refresh_token
    for (const token of used) expect((await flow.refresh(token)).body.refresh_token).toBe(newest)
  }
  expect((await flow.refresh(newest)).status).toBe(200)
})

test('parallel uses of one refresh token have one outcome @storage', async ({ client, app }) => {
  await signUp(client)
  const flow = new Flow(client, app)
  const { refresh_token } = await flow.lastingTokens()
  const answers = await Promise.all(Array.from({ length: 8 }, () => flow.refresh(refresh_token)))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
  const [next, ...others] = new Set(answers.map(({ body }) => body.refresh_token))
  expect(others).toEqual([])
  expect((await flow.refresh(next)).status).toBe(200)
})

test('a used refresh token ends the family and its access tokens after ten seconds, and its owner and operator read so', async ({
  client,
  app,
  server,
}) => {
  const { id } = await signUp(client)
  const flow = new Flow(client, app)
  const first = await flow.lastingTokens()
  const second = (await flow.refresh(first.refresh_token)).body
  await afterTenSeconds(server, first.refresh_token)
  expectOAuthError(await flow.refresh(first.refresh_token), 400, 'invalid_grant')
  for (const token of [first.access_token, second.access_token]) await expectEnded(client, token)
  expectOAuthError(await flow.refresh(second.refresh_token), 400, 'invalid_grant')
  expect((await eventsOf(client))[0]).toMatchObject({ type: 'refresh_token_reused', app: app.name, browser: null })
  const reuses = () =>
    logLines(server.output()).filter(({ account, event }) => account === id && event === 'refresh_token_reused')
  await expect.poll(reuses).toEqual([expect.objectContaining({ outcome: 'failure', app: app.id })])
})

test('a refresh token that was used more than ten seconds ago ends the family, although a later one was used just now', async ({
  client,
  app,
  server,
}) => {
  await signUp(client)
  const flow = new Flow(client, app)
  const first = (await flow.lastingTokens()).refresh_token
  const second = (await flow.refresh(first)).body.refresh_token
  await afterTenSeconds(server, first)
  const third = (await flow.refresh(second)).body.refresh_token
  expect((await flow.refresh(second)).body.refresh_token).toBe(third)
  expectOAuthError(await flow.refresh(first), 400, 'invalid_grant')
  expectOAuthError(await flow.refresh(third), 400, 'invalid_grant')
})

test("a refresh token in another app's hands, used or not, ends nothing @promise", async ({
  client,
  app,
  appWith,
  server,
}) => {
  await signUp(client)
  const flow = new Flow(client, app)
  const other = await appWith(CALLBACK, 'https://other.example.com/')
  const stolen = { client_id: other.id, client_secret: other.secret }
  const used = (await flow.lastingTokens()).refresh_token
  expectOAuthError(await flow.refresh(used, stolen), 400, 'invalid_grant')
  const next = (await flow.refresh(used)).body.refresh_token
  await afterTenSeconds(server, used)
  for (const token of [used, next]) expectOAuthError(await flow.refresh(token, stolen), 400, 'invalid_grant')
  expect((await flow.refresh(next)).status).toBe(200)
})

test('a refresh token expires after 30 days without use, and a family after 180 @promise', async ({
  client,
  app,
  server,
}) => {
  await signUp(client)
  const flow = new Flow(client, app)
  const day = 86_400_000
  const idle = (await flow.lastingTokens()).refresh_token
  alterCode(server, idle, `"refreshUntil" = "refreshUntil" - ${30 * day}`)
  expectOAuthError(await flow.refresh(idle), 400, 'invalid_grant')
  const old = (await flow.lastingTokens()).refresh_token
  alterCode(server, old, `"usedAt" = "usedAt" - ${180 * day - 60_000}`)
  const { refresh_token } = (await flow.refresh(old)).body
  alterCode(server, old, `"usedAt" = "usedAt" - 60000`)
  expectOAuthError(await flow.refresh(refresh_token), 400, 'invalid_grant')
})

test('the database holds digests of refresh tokens, and not the tokens', async ({ client, app, server }) => {
  await signUp(client)
  const flow = new Flow(client, app)
  const { refresh_token } = await flow.lastingTokens()
  const next = (await flow.refresh(refresh_token)).body.refresh_token
  const stored = ['refreshHash', 'recentHashes'].map((column) => readCode(server, next, column)?.replace(/@\d+$/, ''))
  const digestOf = (token: string) => createHash('sha256').update(token).digest('base64url')
  expect(stored).toEqual([digestOf(next), digestOf(refresh_token)])
})
