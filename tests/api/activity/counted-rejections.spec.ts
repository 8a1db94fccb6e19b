import { register, signUp } from '../../support/accounts'
import { type Answer, Client } from '../../support/client'
import { expect, test } from '../../support/fixtures'
import type { Server } from '../../support/server/server'
import { requestIdOf } from '../../support/server/server-log'
import { Authenticator } from '../../support/webauthn/authenticator'

const NETWORKS = ['198.51.100.1', '198.51.100.2']

const clientFrom = (server: Server, address?: string) =>
  new Client(server, { headers: { 'X-Forwarded-For': address, 'Latchkey-Step-Up': undefined } })

/** The lines of counted events that a server has written in its life, which ends here. */
async function linesOf(server: Server, ...events: string[]) {
  await server.kill('SIGTERM')
  const lines = server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line)).filter(({ event }) => events.includes(event))
}

test('the first invalid request is a line at once, all that follow are one line with those who sent the most, and neither contains what was sent', async ({
  start,
}) => {
  const server = await start({ env: { TRUSTED_PROXIES: '1' } })
  const [one, other] = NETWORKS.map((address) => clientFrom(server, address)) as [Client, Client]
  const sent = 'neither-a-name-nor-secret'
  const send = (client: Client) => client.post('/api/signin', { username: `!${sent}`, password: sent })
  const first = await send(other)
  expect(first.status).toBe(400)
  await expect.poll(() => server.output()).toContain(`"request":"${requestIdOf(first)}"`)
  const answers: Answer[] = []
  for (const client of [one, one, one, other, one]) answers.push(await send(client))
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400])
  const last = answers.at(-1) as Answer
  const common = { outcome: 'rejected', account: null }
  expect(await linesOf(server, 'invalid_request')).toMatchObject([
    { ...common, address: NETWORKS[1], count: 1, sources: 1, most: 1, request: requestIdOf(first) },
    { ...common, address: NETWORKS[0], count: 5, sources: 2, most: 4, request: requestIdOf(last) },
  ])
  expect(server.output()).not.toContain(sent)
})

test('requests without a good session, and those that name a passkey or session of another account, are counted with the account', async ({
  start,
}) => {
  const server = await start({ env: { TRUSTED_PROXIES: '1' } })
  const client = clientFrom(server, NETWORKS[0])
  const { id, token } = await signUp(client)
  await client.post('/api/signout')
  const ended = new Client(server, { ...client.options, bearer: token })
  for (let time = 0; time < 4; time += 1) expect((await ended.post('/api/i')).status).toBe(401)

  const victim = new Client(server)
  await signUp(victim)
  const { passkey } = (await register(victim, new Authenticator(server.origin))).body
  const [session] = (await victim.post('/api/i/sessions')).body.sessions
  const asking = new Client(server)
  const { id: asker } = await signUp(asking)
  const answers = [
    await asking.post('/api/i/sessions/revoke', { id: session.id }),
    await asking.post('/api/i/passkeys/rename', { id: passkey.id, name: 'Mine' }),
    await asking.post('/api/i/passkeys/remove', { id: passkey.id }),
    // An unknown address is no attempt on an account.
    await asking.post('/api/nothing'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  const lines = await linesOf(server, 'not_signed_in', 'not_owned')
  expect(lines.filter(({ event }) => event === 'not_signed_in')).toMatchObject([
    { account: id, count: 1 },
    { account: id, address: NETWORKS[0], count: 3, sources: 1, most: 3 },
  ])
  expect(lines.filter(({ event }) => event === 'not_owned')).toMatchObject([
    { outcome: 'rejected', account: asker, count: 1 },
    { outcome: 'rejected', account: asker, count: 2, sources: 1, most: 2 },
  ])
})

test('foreign origins are a hundred lines at most, and one for all that follow', async ({ start }) => {
  const server = await start({ env: { TRUSTED_PROXIES: '1' } })
  const client = clientFrom(server, NETWORKS[0])
  const { id: account } = await signUp(client)
  const foreign = { Origin: 'https://evil.example' }
  for (let time = 0; time < 103; time += 1)
    expect((await client.post('/api/i', undefined, { headers: foreign })).status).toBe(403)
  const lines = await linesOf(server, 'foreign_origin')
  expect(lines).toHaveLength(101)
  expect(lines[99]).toMatchObject({ outcome: 'rejected', account, address: NETWORKS[0] })
  expect(lines[100]).toMatchObject({ account, address: NETWORKS[0], count: 3, sources: 1, most: 3 })
})
