import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { PASSWORD, register, signUp, WRONG_PASSWORD } from '../support/accounts'
import { type Answer, Client } from '../support/client'
import { type Server, startServer } from '../support/server/server'
import type { KeptAccount } from '../support/storage/earlier-databases'
import { startPostgres } from '../support/storage/postgres'
import { dumpPostgres } from '../support/storage/postgres-programs'
import { Authenticator } from '../support/webauthn/authenticator'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36'

/** With a cost of its own a server starts without quick-hashes.mjs, whose hashes the bundle of another checkout cannot use. */
const BCRYPT_COST = '10'

/** Writes what the version in a checkout stores, on both databases, into a folder named like its newest migration. */
export async function keepDatabases(checkout: string, folder: string): Promise<void> {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).trim()
  const migrations = readdirSync(join(checkout, 'prisma/sqlite/migrations')).filter((name) => /^\d/.test(name))
  const kept = join(folder, migrations.sort().at(-1) ?? '')
  mkdirSync(kept, { recursive: true })
  const write = (name: string, account: KeptAccount) =>
    writeFileSync(join(kept, name), `${JSON.stringify(account, null, 2)}\n`)

  const embedded = await startServer({ folder: checkout, mode: 'api-only', env: { BCRYPT_COST } })
  write('sqlite.json', await exerciseAccount(embedded, commit))
  // A stopped server's file is complete without its log.
  await embedded.kill('SIGTERM')
  writeFileSync(join(kept, 'sqlite.db.gz'), gzipSync(readFileSync(embedded.database), { level: 9 }))
  await embedded.stop()

  const postgres = await startPostgres()
  const DATABASE_URL = postgres.createDatabase()
  const networked = await startServer({ folder: checkout, mode: 'api-only', env: { BCRYPT_COST, DATABASE_URL } })
  write('postgresql.json', await exerciseAccount(networked, commit))
  await networked.stop()
  writeFileSync(join(kept, 'postgresql.sql'), portable(dumpPostgres(DATABASE_URL)))
  await postgres.stop()
}

/** Without what only psql, or only this version of PostgreSQL, understands: its own commands, comments and settings. */
const portable = (dump: string) =>
  dump
    .replace(/^(?:\\|--|SET ).*\n/gm, '')
    .replace(/\n{2,}/g, '\n\n')
    .trimStart()

/** Does with an account whatever the version can do, through its own API. */
async function exerciseAccount(server: Server, commit: string): Promise<KeptAccount> {
  const another = () => new Client(server, { undocumented: true, headers: { 'User-Agent': CHROME } })
  const authenticator = new Authenticator(server.origin)
  const client = another()
  const { id, username, token } = await signUp(client, 'ada')
  const signedOut = another()
  const { body } = await expectStatus(200, signedOut.post('/api/signin', { username, password: PASSWORD }))
  await signedOut.post('/api/signout')
  await expectStatus(401, signedOut.post('/api/i', undefined, { headers: { Authorization: `Bearer ${body.token}` } }))
  await expectStatus(201, register(client, authenticator))
  const { codes = [] }: { codes?: string[] } = await postIfKnown(client, '/api/i/recovery-codes', 201)
  const challenge = await another().post('/api/auth/login/options', {})
  await expectStatus(200, another().post('/api/auth/login/verify', authenticator.get(challenge.body)))
  const [used, unused] = codes
  if (used) await expectStatus(200, another().post('/api/signin/recovery', { username, code: used }))
  await expectStatus(401, another().post('/api/signin', { username, password: WRONG_PASSWORD }))
  const [passkey] = authenticator.passkeys
  if (!passkey) throw new Error('There is no passkey.')
  const { algorithm, rpId, userHandle, privateKey } = passkey
  return {
    commit,
    at: new Date().toISOString(),
    secret: server.secret,
    id,
    username,
    password: PASSWORD,
    passkey: { id: passkey.id, algorithm, rpId, userHandle, privateKey: privateKey.export({ format: 'jwk' }) },
    recoveryCode: unused ?? null,
    session: token,
    over: { recoveryCode: used ?? null, session: body.token },
    seen: {
      account: (await expectStatus(200, client.post('/api/i'))).body,
      events: await recordedEvents(client),
      sessions: (await postIfKnown(client, '/api/i/sessions')).sessions ?? [],
    },
  }
}

/** The failure is recorded last, some time after its response. */
async function recordedEvents(client: Client): Promise<KeptAccount['seen']['events']> {
  const { events = [] }: { events?: KeptAccount['seen']['events'] } = await postIfKnown(client, '/api/i/events')
  if (events.length === 0 || events.some(({ type }) => type === 'signin_failed')) return events
  await delay(50)
  return recordedEvents(client)
}

/** @returns the body, or nothing where the version has no such endpoint */
async function postIfKnown(client: Client, path: string, status = 200) {
  const answer = await client.post(path)
  return answer.status === 404 ? {} : (await expectStatus(status, Promise.resolve(answer))).body
}

async function expectStatus(status: number, asking: Promise<Answer>): Promise<Answer> {
  const answer = await asking
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`)
  return answer
}
