import { randomBytes } from 'node:crypto'
import {
  PASSWORD,
  randomName,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
  WRONG_PASSWORD,
} from '../../support/accounts'
import { type Answer, Client } from '../../support/client'
import { expect, test } from '../../support/fixtures'
import { needs } from '../../support/machine/needs'
import { prometheus } from '../../support/network/telemetry'
import type { Server } from '../../support/server/server'
import { startRedis } from '../../support/storage/redis'

// What storage counts in the meantime is PostgreSQL here; tests/unit/rate-limit/circuit-breaker.spec.ts does the same on SQLite.
test.describe('a server on Redis', { tag: '@networked' }, redisTests)

/** A well-formed code that no account has. */
const UNKNOWN = 'AAAA-BBBB-CCCC-DDDD'

type Attempt = { name: string; password: string }

/**
 * Signs in, two at a time, each time with a new client; `halfway` is called after half of them. So few never wait long for
 * their hash, which a busy machine's server would reject.
 */
async function signIns(server: Server, attempts: Attempt[], halfway?: () => Promise<void>): Promise<Answer[]> {
  const answers: Answer[] = []
  let [next, half] = [0, Promise.resolve()]
  const work = async () => {
    while (next < attempts.length) {
      const { name, password } = attempts[next++] as Attempt
      answers.push(await signInWithPassword(new Client(server), name, password))
      if (answers.length === attempts.length / 2 && halfway) half = halfway()
    }
  }
  await Promise.all(Array.from({ length: 2 }, work))
  await half
  return answers
}

/** How often the log has said that Redis went away, and that it came back. */
const openings = (server: Server) => server.output().match(/"level":40.*Redis/g)?.length ?? 0
const returns = (server: Server) => server.output().match(/"level":30.*Redis/g)?.length ?? 0

function redisTests() {
  needs('Redis')

  test('killing Redis amid sign-ins fails none of them admits no attempt beyond the limits, Redis is used again afterwards, and metrics tell @storage', async ({
    start,
  }) => {
    const redis = await startRedis()
    const metrics = await prometheus()
    const env = { ...metrics.env, REDIS_URL: redis.url, RATE_LIMIT_ADDRESS_MAX: '100000' }
    const server = await start({ env })
    const state = async () => (await metrics.read('latchkey_circuit_breaker'))['']
    expect(await state()).toBe(0)
    const victim = randomName()
    const people: Awaited<ReturnType<typeof signUp>>[] = []
    while (people.length < 4) people.push(await signUp(new Client(server)))
    // Half of them by users who know their password, five times each; half of them wrong passwords for one account.
    const attempts = Array.from({ length: 40 }, (_, n) => {
      const person = people[(n >> 1) % 4]
      return n % 2 === 0 && person
        ? { name: person.username, password: PASSWORD }
        : { name: victim, password: WRONG_PASSWORD }
    })
    const answers = await signIns(server, attempts, () => redis.kill('SIGKILL'))
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
    expect([count(200), count(401) + count(429)]).toEqual([20, 20])
    // Redis and the database each admit five wrong passwords and no more.
    expect(count(401)).toBeLessThanOrEqual(10)
    // An answer that a busy machine delayed counts in both stores, and the log has one opening more.
    if (openings(server) === 1) expect(count(401)).toBe(10)
    expect(openings(server)).toBe(returns(server) + 1)
    await redis.launch()
    const signIn = () => signInWithPassword(new Client(server), randomName())
    await expect.poll(() => signIn().then(() => openings(server) - returns(server))).toBe(0)
    await redis.kill('SIGKILL')
    await signIn()
    expect(await state()).toBe(2)
  })

  test('two servers with nothing in common but Redis and the secret admit five of thirty attempts, and both stop when told to @storage', async ({
    start,
  }) => {
    const redis = await startRedis()
    const env = {
      REDIS_URL: redis.url,
      // Attempts are counted under keys derived from it.
      JWT_SECRET: randomBytes(48).toString('base64'),
      RATE_LIMIT_ADDRESS_MAX: '5',
    }
    const servers = [await start({ env }), await start({ env })]
    // Wrong recovery codes: they count by address, and need no hash that a busy machine would be late with.
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        signInWithRecoveryCode(new Client(servers[n % 2] as Server), randomName(), UNKNOWN),
      ),
    )
    const admitted = answers.filter(({ status }) => status === 401).length
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30 - admitted)
    expect(admitted).toBeGreaterThanOrEqual(5)
    // A busy machine may keep even Redis from answering in time; a database that then counted admits five of its own.
    const fellBack = servers.filter((server) => openings(server) > 0)
    expect(admitted).toBeLessThanOrEqual(5 + 5 * fellBack.length)
    for (const server of servers) expect((await server.kill('SIGTERM')).code).toBe(0)
    await redis.kill('SIGKILL')
  })
}
