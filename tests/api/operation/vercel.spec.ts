import { spawnSync } from 'node:child_process'
import { Client } from '../../support/client'
import { expect, test } from '../../support/fixtures'
import { needs } from '../../support/machine/needs'
import { JWT_SECRET } from '../../support/secret'
import { startPostgres } from '../../support/storage/postgres'

/** The step of a build on Vercel that checks settings and migrates the database. */
function migrate(settings: Record<string, string>, ...words: string[]) {
  const env = { PATH: process.env.PATH, NODE_ENV: 'production' as const, VERCEL: '1', ...settings }
  return spawnSync(process.execPath, ['build/migrate.mjs', ...words], { env, encoding: 'utf8' })
}

test('a build on Vercel fails without its settings and names each', () => {
  const { status, stderr } = migrate({}, 'check')
  expect(stderr).toMatch(/^ {2}DATABASE_URL must be postgresql/m)
  expect(stderr).toMatch(/^ {2}JWT_SECRET must be set/m)
  expect(status).toBe(1)
  expect(migrate({ JWT_SECRET }, 'check').stderr).not.toContain('JWT_SECRET')
})

test('on Vercel the build migrates the database and a start does not', { tag: '@pages' }, async ({ start }) => {
  needs('PostgreSQL')
  const postgres = await startPostgres()
  try {
    const settings = { DATABASE_URL: postgres.createDatabase(), JWT_SECRET }
    const client = new Client(await start({ mode: 'next', env: { ...settings, VERCEL: '1' } }))
    const health = async () => (await client.get('/api/health')).status
    expect(migrate(settings, 'check').status).toBe(0)
    expect(await health()).toBe(503)
    expect(migrate(settings).status).toBe(0)
    // What a probe of the last second found is told again.
    await expect.poll(health).toBe(200)
  } finally {
    await postgres.stop()
  }
})
