import { Client } from '../../support/client'
import { expect, test } from '../../support/fixtures'
import { findPostgres, startPostgres } from '../../support/storage/postgres'

const ask = (client: Client, method: string) => client.request(method, '/api/health')

async function expectHealthy(client: Client) {
  for (const method of ['GET', 'HEAD']) {
    const answer = await ask(client, method)
    expect([answer.status, answer.text, answer.headers['cache-control']]).toEqual([200, '', 'no-store'])
    expect(answer.headers).not.toHaveProperty('set-cookie')
  }
}

test('a healthy server answers 200 without a body', async ({ client }) => {
  await expectHealthy(client)
})

test('a healthy server answers 200 without a body when Next serves it', { tag: '@pages' }, async ({ start }) => {
  await expectHealthy(new Client(await start({ mode: 'next' })))
})

test('the health check accepts GET and HEAD only', async ({ client }) => {
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const answer = await ask(client, method)
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
  }
})

test('the health check answers any origin', async ({ another }) => {
  const client = another({ headers: { Origin: 'https://monitor.example', 'Sec-Fetch-Site': 'cross-site' } })
  expect((await ask(client, 'GET')).status).toBe(200)
})

test('the health check answers 503 within three seconds while PostgreSQL is down, and 200 when it is back', async ({
  start,
}) => {
  test.skip(findPostgres() === null, 'There is no PostgreSQL on this machine.')
  const postgres = await startPostgres()
  try {
    const client = new Client(await start({ env: { DATABASE_URL: postgres.createDatabase() } }))
    expect((await ask(client, 'GET')).status).toBe(200)
    await postgres.halt()
    const asked = Date.now()
    const answer = await ask(client, 'GET')
    expect([answer.status, answer.text]).toEqual([503, ''])
    expect(Date.now() - asked).toBeLessThan(3_000)
    await postgres.launch()
    await expect.poll(async () => (await ask(client, 'GET')).status, { timeout: 5_000 }).toBe(200)
  } finally {
    await postgres.stop()
  }
})
