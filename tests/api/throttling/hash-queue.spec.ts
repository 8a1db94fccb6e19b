import { Agent, request } from 'node:http'
import { availableParallelism } from 'node:os'
import { PASSWORD, randomName, signInWithPassword, signUp, WRONG_PASSWORD } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectError } from '../../support/expectations'
import { expect } from '../../support/fixtures'
import { test } from '../../support/network/split-deployment'
import { prometheus } from '../../support/network/telemetry'
import type { Server } from '../../support/server/server'
import { readSql } from '../../support/storage/sql'

/** How many passwords a server hashes at once for one address. */
const placesPerAddress = Math.min(availableParallelism(), 8)

/** A client whose requests a trusted proxy passes on from this address. */
const from = (server: Server, address: string) => new Client(server, { headers: { 'X-Forwarded-For': address } })

test("a stranger's right password takes its turn while one address sends more than it may", async ({ start }) => {
  const env = { BCRYPT_COST: '10', TRUSTED_PROXIES: '1', RATE_LIMIT_ADDRESS_MAX: '60' }
  const server = await start({ env })
  const { username } = await signUp(from(server, '198.51.100.1'))
  const [flooder, stranger] = [from(server, '198.51.100.2'), from(server, '198.51.100.3')]
  const answers: number[] = []
  const flood = Array.from({ length: 120 }, async () => {
    answers.push((await signInWithPassword(flooder, randomName(), WRONG_PASSWORD)).status)
  })
  const checked = () => answers.filter((status) => status === 401).length
  await expect.poll(checked).toBeGreaterThan(0)
  const before = checked()
  expect((await signInWithPassword(stranger, username)).status).toBe(200)
  expect(checked() - before).toBeLessThan(Math.max(20, 4 * placesPerAddress))
  await Promise.all(flood)
  expect(answers.filter((status) => status !== 429 && status !== 503)).toEqual(Array(checked()).fill(401))
  expect(checked()).toBeLessThanOrEqual(60)
})

/** Sends wrong passwords from so many networks, each one after another, until it is stopped. */
function floodFrom(server: Server, networks: number) {
  const answers: number[] = []
  let isStopped = false
  const senders = Array.from({ length: networks }, async (_, index) => {
    const sender = from(server, `10.${index >> 8}.${index & 255}.1`)
    while (!isStopped) answers.push((await signInWithPassword(sender, randomName(), WRONG_PASSWORD)).status)
  })
  return {
    answers,
    stop: () => {
      isStopped = true
      return Promise.all(senders)
    },
  }
}

test('a known browser gets its turn at once, from however many networks strangers send passwords, and metrics tell of a flood that waits too long', async ({
  start,
}) => {
  // Hashes are short, so that a slow machine does not make the owner's own wait too long.
  const metrics = await prometheus()
  const server = await start({ env: { ...metrics.env, BCRYPT_COST: '10', TRUSTED_PROXIES: '1' } })
  const owner = from(server, '198.51.100.1')
  const { username } = await signUp(owner)
  const cores = availableParallelism()
  const { answers, stop } = floodFrom(server, 80 * cores)
  try {
    // More wait by now than can be hashed in time: about fifty for each core.
    await expect.poll(() => answers.includes(503)).toBe(true)
    const checked = () => answers.filter((status) => status === 401).length
    const before = checked()
    expect((await signInWithPassword(owner, username)).status).toBe(200)
    expect(checked() - before).toBeLessThan(25 * cores)
    const change = { password: 'another password', currentPassword: PASSWORD }
    expect((await owner.post('/api/i/password', change)).status).toBe(200)
  } finally {
    await stop()
  }
  const rejected = answers.filter((status) => status === 503).length
  expect(await metrics.read('latchkey_throttled_total')).toMatchObject({ 'policy="hashing"': rejected })
  expect(await metrics.read('latchkey_sign_ins_total')).toMatchObject({
    'method="pwd",outcome="unavailable"': rejected,
  })
})

/** Several times as many as a server hashes at once for one address. */
const abandoned = 6 * placesPerAddress

/** A second between two looks is enough to verify more than half of the passwords. */
const often = { intervals: [20] }

/** Sends password attempts at names of their own to a front, and disconnects when its server has counted them. */
async function abandonAttempts(front: { url: string }, server: Server) {
  const agent = new Agent({ maxSockets: abandoned })
  const sent = Array.from({ length: abandoned }, () => {
    const body = JSON.stringify({ username: randomName(), password: WRONG_PASSWORD })
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
    const attempt = request(`${front.url}/api/signin`, { method: 'POST', agent, headers })
    attempt.on('error', () => undefined)
    attempt.end(body)
    return attempt
  })
  const counted = `COUNT(*) FROM "RateLimit" WHERE "key" LIKE 'password:%'`
  await expect.poll(() => readNumber(server, counted), often).toBe(abandoned)
  for (const attempt of sent) attempt.destroy()
  const refunded = `${counted} AND "count" = 0`
  await expect.poll(() => readNumber(server, refunded), often).toBeGreaterThanOrEqual(abandoned / 2)
}

const readNumber = ({ databaseUrl }: Server, selection: string) =>
  Number(readSql(databaseUrl, `SELECT ${selection}`)[0])

for (const mode of ['api-only', 'next'] as const) {
  const tag = mode === 'next' ? ['@pages'] : []
  test(`abandoned password attempts are not verified, served by ${mode}`, { tag }, async ({ start }) => {
    const server = await start({ mode, env: { BCRYPT_COST: '12' } })
    await abandonAttempts(server, server)
    // The address pays, for far more than the few that were verified.
    const counted = readNumber(server, `"count" FROM "RateLimit" WHERE "key" LIKE 'address:%'`)
    expect(counted).toBeGreaterThanOrEqual(abandoned / 2)
  })
}

test('a front end ends its call to the backend when the browser leaves', async ({ startSplitDeployment }) => {
  const { frontEnd, backend } = await startSplitDeployment({ env: { BCRYPT_COST: '12' } })
  await abandonAttempts(frontEnd, backend)
  expect(frontEnd.output()).not.toContain('no response from the backend')
})

test('an address whose password attempts are rejected again and again gets its rejections slower', async ({
  start,
}) => {
  const server = await start({ env: { TRUSTED_PROXIES: '1', RATE_LIMIT_ADDRESS_MAX: '1' } })
  await signUp(from(server, '198.51.100.2'))
  const reject = async (address: string) => {
    const begun = Date.now()
    expectError(await signInWithPassword(from(server, address), randomName(), WRONG_PASSWORD), 429, 'too_many_attempts')
    return Date.now() - begun
  }
  const burst = await Promise.all(Array.from({ length: 100 }, () => reject('198.51.100.2')))
  // Fifty at once, and the others by turns: 25 a second.
  expect(burst.filter((milliseconds) => milliseconds > 1000).length).toBeGreaterThan(15)
  const { username } = await signUp(from(server, '198.51.100.3'))
  expect((await signInWithPassword(from(server, '198.51.100.4'), username)).status).toBe(200)
})
