import { register, signUp } from '../../support/accounts'
import { type Answer, Client } from '../../support/client'
import { expect, test } from '../../support/fixtures'
import type { Server } from '../../support/server/server'
import { requestIdOf } from '../../support/server/server-log'
import { Authenticator } from '../../support/webauthn/authenticator'

const NETWORKS = ['198.51.100.1', '198.51.100.2']

const clientFrom = (server: Server, address?: string) =>
  new Client(server, { headers: { 'X-Forwarded-For': address, 'Latchkey-Step-Up': undefined } })

/** The lines of a counted event that a server has written in its life, which ends here. */
async function linesOf(server: Server, event: string) {
  await server.kill('SIGTERM')
  const lines = server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line)).filter((line) => line.event === event)
}

test('the first invalid request is a line at once, and all that follow are one line with those who sent the most', async ({
  start,
}) => {
  const server = await start({ env: { TRUSTED_PROXIES: '1' } })
  const [one, other] = NETWORKS.map((address) => clientFrom(server, address)) as [Client, Client]
  const first = await other.post('/api/signin', { username: 'x' })
  expect(first.status).toBe(400)
  await expect.poll(() => server.output()).toContain(`"request":"${requestIdOf(first)}"`)
  const answers: Answer[] = []
  for (const client of [one, one, one, other, one]) answers.push(await client.post('/api/signin', { username: 'x' }))
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400])
  const last = answers.at(-1) as Answer
  expect(await linesOf(server, 'invalid_request')).toMatchObject([
    {
      outcome: 'rejected',
      account: null,
      address: NETWORKS[1],
      count: 1,
      sources: 1,
      most: 1,
      request: requestIdOf(first),
    },
    {
      outcome: 'rejected',
      account: null,
      address: NETWORKS[0],
      count: 5,
      sources: 2,
      most: 4,
      request: requestIdOf(last),
    },
  ])
})

test('requests without a good session are counted, with the account of one that has ended', async ({ start }) => {
  const server = await start({ env: { TRUSTED_PROXIES: '1' } })
  const client = clientFrom(server, NETWORKS[0])
  const { id, token } = await signUp(client)
  await client.post('/api/signout')
  const ended = new Client(server, { ...client.options, bearer: token })
  for (let time = 0; time < 4; time += 1) expect((await ended.post('/api/i')).status).toBe(401)
  const lines = await linesOf(server, 'not_signed_in')
  expect(lines).toMatchObject([
    { account: id, count: 1 },
    { account: id, address: NETWORKS[0], count: 3, sources: 1, most: 3 },
  ])
})

test("requests that name another account's passkey or session are counted, with the account that asks", async ({
  start,
}) => {
  const server = await start()
  const victim = new Client(server)
  await signUp(victim)
  const { passkey } = (await register(victim, new Authenticator(server.origin))).body
  const [session] = (await victim.post('/api/i/sessions')).body.sessions
  const client = new Client(server)
  const { id } = await signUp(client)
  const answers = [
    await client.post('/api/i/sessions/revoke', { id: session.id }),
    await client.post('/api/i/passkeys/rename', { id: passkey.id, name: 'Mine' }),
    await client.post('/api/i/passkeys/remove', { id: passkey.id }),
    // An unknown address is no attempt on an account.
    await client.post('/api/nothing'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  expect(await linesOf(server, 'not_owned')).toMatchObject([
    { outcome: 'rejected', account: id, count: 1 },
    { outcome: 'rejected', account: id, count: 2, sources: 1, most: 2 },
  ])
})

test('what is rejected over and over is not a line each, and the lines contain nothing that was sent', async ({
  start,
}) => {
  const server = await start()
  const client = new Client(server)
  const sent = 'neither-a-name-nor-secret'
  for (let time = 0; time < 40; time += 1) await client.post('/api/signin', { username: `!${sent}`, password: sent })
  const lines = await linesOf(server, 'invalid_request')
  expect(lines.map(({ count }) => count)).toEqual([1, 39])
  expect(server.output()).not.toContain(sent)
})

test('forged tokens, foreign origins and missing step-ups are a hundred lines at most, and one for all that follow', async ({
  start,
}) => {
  const server = await start({ env: { TRUSTED_PROXIES: '1' } })
  const client = clientFrom(server, NETWORKS[0])
  const { id, token } = await signUp(client)
  const forger = new Client(server, { ...client.options, bearer: `${token.split('.', 2).join('.')}.forged` })
  const foreign = { Origin: 'https://evil.example' }
  for (let time = 0; time < 103; time += 1) {
    expect((await forger.post('/api/i')).status).toBe(401)
    expect((await client.post('/api/i', undefined, { headers: foreign })).status).toBe(403)
    expect((await client.post('/api/i/delete')).status).toBe(403)
  }
  for (const [event, account] of [
    ['forged_token', null],
    ['foreign_origin', id],
    ['step_up_missing', id],
  ] as const) {
    const lines = await linesOf(server, event)
    expect(lines).toHaveLength(101)
    expect(lines[99]).toMatchObject({ outcome: 'rejected', account, address: NETWORKS[0] })
    expect(lines[100]).toMatchObject({ account, address: NETWORKS[0], count: 3, sources: 1, most: 3 })
  }
})
