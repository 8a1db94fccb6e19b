import { decodeJwt } from 'jose'
import { createAccount, randomName, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectError } from '../../support/expectations'
import { CALLBACK, expect, type RegisteredApp, registerApp, test } from '../../support/openid/fixtures'
import { expectOAuthError, postForm } from '../../support/openid/requests'
import { accountsJson } from '../../support/operator/accounts-command'
import type { Server } from '../../support/server/server'
import { executeSql, readSql } from '../../support/storage/sql'

const grant = 'urn:ietf:params:oauth:grant-type:device_code'

interface Codes {
  device_code: string
  user_code: string
  verification_uri_complete: string
}

/** An app that shows codes: a program in a terminal. */
const registerDevice = (server: Server, ...words: string[]) => registerApp(server, '--device', '--public', ...words)

function ask(server: Server, app: RegisteredApp, form: Record<string, string | undefined> = {}) {
  const credentials = { client_id: app.id, client_secret: app.secret }
  return postForm({ server }, '/api/oauth/device', { ...credentials, scope: 'openid profile', ...form })
}

const codesOf = async (server: Server, app: RegisteredApp, form?: Record<string, string>): Promise<Codes> => {
  const answer = await ask(server, app, form)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

/** Polls as if the device had waited. */
async function poll(server: Server, app: RegisteredApp, device_code: string, form: Record<string, string> = {}) {
  executeSql(
    server.databaseUrl,
    `UPDATE "DeviceRequest" SET "polledAt" = NULL WHERE "id" = '${device_code.slice(0, 22)}'`,
  )
  return pollAtOnce(server, app, device_code, form)
}

const pollAtOnce = (server: Server, app: RegisteredApp, device_code: string, form: Record<string, string> = {}) =>
  postForm({ server }, '/api/oauth/token', {
    grant_type: grant,
    device_code,
    client_id: app.id,
    client_secret: app.secret,
    ...form,
  })

const answerTo = (client: Client, userCode: string, allow = true) =>
  client.post('/api/oauth/device/answer', { userCode, allow })

test('a device gets tokens once somebody has allowed its code, for the API and scopes that the page named @storage @promise', async ({
  server,
  client,
}) => {
  const { id } = await createAccount(client)
  const app = await registerDevice(server)
  const notes = `https://${randomName().toLowerCase()}.example.com`
  await accountsJson(server, 'api', 'add', 'Notes API', notes, '--any-app', '--scope', 'read=Read your notes')
  const scope = 'openid profile offline_access read'
  // One value is one resource.
  expectOAuthError(await ask(server, app, { scope, resource: `${notes} ${notes}` }), 400, 'invalid_target')
  const answer = await ask(server, app, { scope, resource: notes })
  expect(answer.body).toEqual({
    device_code: expect.stringMatching(/^[\w-]{65}$/),
    user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
    verification_uri: `${server.origin}/device`,
    verification_uri_complete: `${server.origin}/device?user_code=${answer.body.user_code}`,
    expires_in: 600,
    interval: 5,
  })
  const { device_code, user_code } = answer.body
  expectOAuthError(await pollAtOnce(server, app, device_code), 400, 'authorization_pending')
  // In any case, and without the hyphen.
  const userCode = user_code.toLowerCase().replace('-', ' ')
  const shown = await client.post('/api/oauth/device/request', { userCode })
  expect(shown.body).toMatchObject({
    userCode: user_code,
    app: { name: app.name },
    scopes: ['openid', 'profile', 'offline_access'],
    apis: [{ name: 'Notes API', identifier: notes, scopes: ['Read your notes'] }],
    from: { address: '127.0.0.1', browser: null, isOwnNetwork: true, at: expect.any(String) },
  })
  expect((await answerTo(client, userCode)).status).toBe(204)
  expectError(await answerTo(client, userCode), 404, 'not_found')
  // Of polls at once, one gets the tokens.
  executeSql(server.databaseUrl, `UPDATE "DeviceRequest" SET "pause" = 0 WHERE "id" = '${device_code.slice(0, 22)}'`)
  const polls = await Promise.all(Array.from({ length: 4 }, () => pollAtOnce(server, app, device_code)))
  const [won, ...others] = polls.sort((one, other) => one.status - other.status)
  for (const lost of others) expectOAuthError(lost, 400, 'invalid_grant')
  expect(won?.body).toMatchObject({ expires_in: 900, scope, id_token: expect.any(String) })
  expect(decodeJwt(won?.body.access_token)).toMatchObject({ aud: notes, sub: id, client_id: app.id, scope: 'read' })
  const refreshed = await postForm({ server }, '/api/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: won?.body.refresh_token,
    client_id: app.id,
  })
  expect(decodeJwt(refreshed.body.access_token)).toMatchObject({ aud: notes, sub: id })
})

test('a device that polls too fast slows down, and one that is declined, expired or another one gets nothing @promise', async ({
  server,
  client,
}) => {
  await signUp(client)
  const app = await registerDevice(server)
  const other = await registerDevice(server)
  const declined = await codesOf(server, app)
  expectOAuthError(await pollAtOnce(server, app, declined.device_code), 400, 'authorization_pending')
  // As if the last poll were just now, however slow this machine is.
  const id = declined.device_code.slice(0, 22)
  executeSql(server.databaseUrl, `UPDATE "DeviceRequest" SET "polledAt" = "polledAt" + 600000 WHERE "id" = '${id}'`)
  expectOAuthError(await pollAtOnce(server, app, declined.device_code), 400, 'slow_down')
  expect(readSql(server.databaseUrl, `SELECT "pause" FROM "DeviceRequest" WHERE "id" = '${id}'`)).toEqual(['10'])
  expect((await answerTo(client, declined.user_code, false)).status).toBe(204)
  expectOAuthError(await poll(server, app, declined.device_code), 400, 'access_denied')
  expectError(await answerTo(client, declined.user_code), 404, 'not_found')

  const allowed = await codesOf(server, app)
  expect((await answerTo(client, allowed.user_code)).status).toBe(204)
  expectOAuthError(await poll(server, other, allowed.device_code), 400, 'invalid_grant')
  const wrong = `${allowed.device_code.slice(0, 22)}${'x'.repeat(43)}`
  expectOAuthError(await poll(server, app, wrong), 400, 'invalid_grant')
  for (const [changes, error] of [
    [{ device_code: '' }, 'invalid_request'],
    [{ grant_type: 'authorization_code', code: allowed.device_code }, 'invalid_grant'],
  ] as const)
    expectOAuthError(await pollAtOnce(server, app, allowed.device_code, changes), 400, error)
  expect((await poll(server, app, allowed.device_code)).status).toBe(200)

  // Its tokens end with the session that allowed it.
  const ended = await codesOf(server, app)
  const elsewhere = new Client(server)
  await signUp(elsewhere)
  expect((await answerTo(elsewhere, ended.user_code)).status).toBe(204)
  await elsewhere.post('/api/signout')
  expectOAuthError(await poll(server, app, ended.device_code), 400, 'invalid_grant')

  const late = await codesOf(server, app)
  executeSql(
    server.databaseUrl,
    `UPDATE "DeviceRequest" SET "validUntil" = 1 WHERE "id" = '${late.device_code.slice(0, 22)}'`,
  )
  expectOAuthError(await poll(server, app, late.device_code), 400, 'expired_token')
  expectError(await answerTo(client, late.user_code), 404, 'not_found')

  const web = await registerApp(server, CALLBACK)
  expectOAuthError(await ask(server, web), 400, 'unauthorized_client')
  expectOAuthError(await pollAtOnce(server, web, allowed.device_code), 400, 'unauthorized_client')
  expectOAuthError(await ask(server, app, { scope: 'profile' }), 400, 'invalid_scope')
  for (const resource of ['https://nobody.example.com', ' '])
    expectOAuthError(await ask(server, app, { resource }), 400, 'invalid_target')
})

test('a device is allowed by people whom its app is for alone, and lasting access takes a step-up each time', async ({
  server,
  client,
}) => {
  await createAccount(client)
  const group = randomName().toLowerCase()
  await accountsJson(server, 'group', 'add', group)
  const closed = await codesOf(server, await registerDevice(server, '--group', group))
  expect((await client.post('/api/oauth/device/request', { userCode: closed.user_code })).body.obstacle).toBe(
    'not_a_member',
  )
  expectError(await answerTo(client, closed.user_code), 403, 'not_allowed')
  const app = await registerDevice(server, '--trusted')
  const { stepUp } = client
  for (const _ of [1, 2]) {
    const { user_code } = await codesOf(server, app, { scope: 'openid offline_access' })
    client.stepUp = undefined
    expectError(await answerTo(client, user_code), 403, 'reauthentication_required')
    client.stepUp = stepUp
    expect((await answerTo(client, user_code)).status).toBe(204)
  }
})

test('after ten wrong codes in an hour neither the account nor its network finds a request, and right ones do not count', async ({
  startShared,
}) => {
  const server = await startShared()
  const [client, elsewhere] = [new Client(server), new Client(server)]
  await signUp(client)
  await signUp(elsewhere)
  const app = await registerDevice(server)
  const { user_code: userCode } = await codesOf(server, app)
  const look = (by: Client, code: string) => by.post('/api/oauth/device/request', { userCode: code })
  for (let count = 0; count < 12; count++) expect((await look(client, userCode)).status).toBe(200)
  const guesses = await Promise.all(Array.from({ length: 15 }, () => look(client, 'BCDF-GHJK')))
  expect(guesses.filter(({ status }) => status === 404)).toHaveLength(10)
  expectError(await look(client, userCode), 429, 'too_many_attempts')
  expectError(await answerTo(client, userCode), 429, 'too_many_attempts')
  expectError(await look(elsewhere, userCode), 429, 'too_many_attempts')
})
