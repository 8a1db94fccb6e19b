import { randomBytes } from 'node:crypto'
import { PASSWORD, randomName, signInWithPassword, signUp } from '../support/accounts'
import { type Answer, Client } from '../support/client'
import { expect, test } from '../support/fixtures'
import { findRedis, startRedis } from '../support/redis'
import type { Server } from '../support/server'

if (findRedis() === null) test('a server on Redis', () => test.skip(true, 'no Redis here'))
// What storage counts in the meantime is PostgreSQL here; tests/unit/circuit-breaker.spec.ts does the same on SQLite.
else test.describe('a server on Redis', { tag: '@networked' }, redisTests)

type Attempt = { name: string; password: string }

/** Signs in, eight at a time, each time with a new client; `halfway` is called after half of them. */
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
  await Promise.all(Array.from({ length: 8 }, work))
  await half
  return answers
}

/** How often the log has said that Redis went away, and that it came back. */
const outages = (server: Server) => server.output().match(/"level":40.*Redis/g)?.length ?? 0
const returns = (server: Server) => server.output().match(/"level":30.*Redis/g)?.length ?? 0

function redisTests() {
  test('killing Redis amid sign-ins fails none of them and admits no attempt beyond the limits, and Redis is used again afterwards', async ({
    start,
  }) => {
    const redis = await startRedis()
    const server = await start({ env: { REDIS_URL: redis.url, RATE_LIMIT_ADDRESS_MAX: '100000' } })
    const victim = randomName()
    const people: Awaited<ReturnType<typeof signUp>>[] = []
    while (people.length < 8) people.push(await signUp(new Client(server)))
    // Half of them by users who know their password, five times each; half of them wrong passwords for one account.
    const attempts = Array.from({ length: 80 }, (_, n) => {
      const person = people[(n >> 1) % 8]
      return n % 2 === 0 && person
        ? { name: person.username, password: PASSWORD }
        : { name: victim, password: 'a wrong password' }
    })
    const answers = await signIns(server, attempts, () => redis.kill('SIGKILL'))
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
    // Redis and the database each admit five wrong passwords and no more.
    expect([count(200), count(401), count(429)]).toEqual([40, 10, 30])
    expect(outages(server)).toBe(1)
    await redis.launch()
    await expect
      .poll(() => signInWithPassword(new Client(server), randomName()).then(() => returns(server)), {
        timeout: 15_000,
      })
      .toBe(1)
    expect(outages(server)).toBe(1)
    await redis.kill('SIGKILL')
  })

  test('two servers with nothing in common but Redis and the secret admit five of thirty attempts, and both stop when told to', async ({
    start,
  }) => {
    const redis = await startRedis()
    // Attempts are counted under keys derived from it.
    const env = { REDIS_URL: redis.url, JWT_SECRET: randomBytes(48).toString('base64') }
    const servers = [await start({ env }), await start({ env })]
    const name = randomName()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => signInWithPassword(new Client(servers[n % 2] as Server), name)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(401), ...Array(25).fill(429)])
    for (const server of servers) expect((await server.kill('SIGTERM')).code).toBe(0)
    await redis.kill('SIGKILL')
  })
}
