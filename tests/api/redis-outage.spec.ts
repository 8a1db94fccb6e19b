import { PASSWORD, randomName, signInWithPassword, signUp } from '../support/accounts'
import { type Answer, Client } from '../support/client'
import { expect, test } from '../support/fixtures'
import { findRedis, startRedis } from '../support/redis'
import type { Server } from '../support/server'

if (findRedis() === null) test('a server on Redis', () => test.skip(true, 'no Redis here'))
else test.describe('a server on Redis', redisTests)

type Attempt = { name: string; password: string }

/** Signs in, eight at a time, each time with a client that comes anew; `halfway` is called after half of them. */
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

const lines = (server: Server, what: string) => server.output().split(what).length - 1

function redisTests() {
  test('killed in the middle of 200 sign-ins it costs no answer and no quota, and is used again afterwards', async ({
    start,
  }) => {
    const redis = await startRedis()
    const server = await start({ env: { REDIS_URL: redis.url, RATE_LIMIT_ADDRESS_MAX: '100000', BCRYPT_COST: '10' } })
    const victim = randomName()
    const people = await Promise.all(Array.from({ length: 25 }, () => signUp(new Client(server))))
    // Half of them people who know their password, four times each; half of them guesses at one account.
    const attempts = Array.from({ length: 200 }, (_, n) => {
      const person = people[(n >> 1) % 25]
      return n % 2 === 0 && person
        ? { name: person.username, password: PASSWORD }
        : { name: victim, password: 'a wrong password' }
    })
    const answers = await signIns(server, attempts, () => redis.kill('SIGKILL'))
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
    // Each of the two counters lets in its own quota of guesses and no more.
    expect([count(200), count(401), count(429)]).toEqual([100, 10, 90])
    expect(lines(server, 'Redis unavailable')).toBe(1)
    await redis.launch()
    await expect
      .poll(
        () => signInWithPassword(new Client(server), randomName()).then(() => lines(server, 'Redis available again')),
        {
          timeout: 15_000,
        },
      )
      .toBe(1)
    expect(lines(server, 'Redis unavailable')).toBe(1)
    await redis.kill('SIGKILL')
  })

  test('of thirty guesses over two servers, five are tried, and both end at once when they are told to', async ({
    start,
  }) => {
    const redis = await startRedis()
    const env = { REDIS_URL: redis.url }
    // Two databases: what they share is Redis.
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
