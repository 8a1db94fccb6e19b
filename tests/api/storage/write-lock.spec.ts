import { randomName, signInWithPassword, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expect, test } from '../../support/fixtures'
import { holdWriteLock } from '../../support/storage/write-lock'

test("while another process holds the embedded database's write lock, reads and health checks wait for none of 25 sign-ins, which are answered 503", async ({
  start,
}) => {
  const server = await start({ env: { DATABASE_URL: undefined } })
  const client = new Client(server)
  const { username } = await signUp(client)
  const lock = await holdWriteLock(server.database)
  const signIns = Array.from({ length: 25 }, () => signInWithPassword(new Client(server), randomName()))
  let arrived = 0
  for (const signIn of signIns) void signIn.then(() => arrived++)
  const waits: number[] = []
  do {
    for (const ask of [() => client.get('/api/health'), () => client.post('/api/i')]) {
      const asked = Date.now()
      await ask()
      waits.push(Date.now() - asked)
    }
  } while (arrived < signIns.length)
  // SQLite's own wait of 400 ms for each of them would add up to ten seconds.
  expect(Math.max(...waits)).toBeLessThan(5_000)
  for (const signIn of signIns) {
    const { status, headers } = await signIn
    expect([status, headers['retry-after']]).toEqual([503, '1'])
  }
  await lock.release()
  expect((await signInWithPassword(new Client(server), username)).status).toBe(200)
})
