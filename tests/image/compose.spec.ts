import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { authenticate, randomName, register, signUp } from '../support/accounts'
import { Client } from '../support/client'
import { expectSignedIn } from '../support/expectations'
import { Authenticator } from '../support/webauthn/authenticator'
import { docker, errorsInLog, health, IMAGE } from './docker'

// The four services of docs/deploy/compose.yaml, through their life.
test.describe.configure({ mode: 'serial' })

const folder = join(process.env.SOURCES ?? '', 'docs/deploy')
/** For which Caddy makes a certificate of its own. */
const origin = 'https://localhost'
const services = ['caddy', 'latchkey', 'postgres', 'redis']
const username = randomName()
const authenticator = new Authenticator(origin)
let agent: Agent

/** The plugin, or the program before it, which cannot wait for health by itself. */
const program = (() => {
  try {
    docker('compose', 'version')
    return ['docker', 'compose']
  } catch {
    return ['docker-compose']
  }
})()

function compose(...words: string[]): string {
  const [command = '', ...before] = program
  const files = ['--project-name', IMAGE, '--file', 'compose.yaml', '--file', 'image.yaml']
  return execFileSync(command, [...before, ...files, ...words], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
}

const client = () => new Client({ url: origin, origin }, { agent })
const container = (service: string) => compose('ps', '--all', '--quiet', service).trim()
const exec = (service: string, ...words: string[]) => docker('exec', container(service), ...words)

/** Runs the lines of docs/deploy.md. */
async function up() {
  const [, block = ''] =
    /^cd docs\/deploy\n(.*?)^docker compose up -d --build --wait$/ms.exec(readFileSync('docs/deploy.md', 'utf8')) ?? []
  execFileSync('sh', ['-ec', block.replace('id.example.com', 'localhost')], { cwd: folder })
  compose('up', '--detach', '--build')
  for (const service of services) await expect.poll(() => health(container(service)), service).toBe('healthy')
  agent = new Agent({ ca: exec('caddy', 'cat', '/data/caddy/pki/authorities/local/root.crt') })
}

test.beforeAll(async () => {
  writeFileSync(join(folder, 'image.yaml'), JSON.stringify({ services: { latchkey: { image: IMAGE } } }))
  await up()
})
test.afterAll(() => compose('down', '--volumes', '--timeout', '60'))

test('the Compose file starts four healthy services, with which the doctor finds no fault', () => {
  // Whatever it exits with, what it says tells more.
  expect(exec('latchkey', 'sh', '-c', 'node build/doctor.mjs || true')).not.toContain('FAIL')
  const status = exec('latchkey', 'cat', '/proc/1/status')
  expect(status.match(/^Cap(Inh|Prm|Eff|Bnd|Amb):\t0{16}$/gm)).toHaveLength(5)
  expect(status).toMatch(/^NoNewPrivs:\t1$/m)
  for (const service of ['latchkey', 'redis'])
    expect(() => exec(service, 'touch', '/etc/file'), service).toThrow('Read-only file system')
})

test('people sign up and in through Caddy, and their attempts count in Redis', async () => {
  const person = client()
  await signUp(person, username)
  expect((await register(person, authenticator)).status).toBe(201)
  expect((await authenticate(client(), authenticator, username)).status).toBe(200)
  expect((await client().get('/signin')).status).toBe(200)
  expect(Number(exec('redis', 'redis-cli', 'dbsize'))).toBeGreaterThan(0)
  const listed = JSON.parse(exec('latchkey', 'node', 'build/accounts.mjs', 'list', '--json'))
  expect(listed.accounts).toMatchObject([{ username }])
})

test('over http Caddy redirects pages and rejects the API', async () => {
  const insecure = new Client({ url: 'http://localhost', origin }, { undocumented: true })
  const page = await insecure.get('/signin')
  expect([page.status, page.headers.location]).toEqual([308, 'https://localhost/signin'])
  expect((await insecure.post('/api/i')).status).toBe(403)
})

test('only Caddy can be reached from outside, and it reaches Latchkey but neither database', () => {
  const ports = services.filter((service) => docker('port', container(service)) !== '')
  expect(ports).toEqual(['caddy'])
  const addressOf = (service: string) => exec('caddy', 'getent', 'hosts', service)
  expect(addressOf('latchkey')).toContain('latchkey')
  for (const database of ['postgres', 'redis']) expect(() => addressOf(database), database).toThrow('Command failed')
})

test('while PostgreSQL is away the pages say that the service is busy, and afterwards everything is as before', async () => {
  const person = client()
  await authenticate(person, authenticator, username)
  docker('stop', container('postgres'))
  const page = await person.get('/profile')
  expect([page.status, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
  docker('start', container('postgres'))
  await expect.poll(async () => (await person.get('/profile')).status).toBe(200)
  await expectSignedIn(person)
})

test('the dump of docs/deploy.md has the accounts', () => {
  const [, dump = ''] =
    /^docker compose exec -T postgres (pg_dump .*) > \S+$/m.exec(readFileSync('docs/deploy.md', 'utf8')) ?? []
  expect(exec('postgres', ...dump.split(' '))).toMatch(/^PGDMP/)
})

test('the same lines start the services again, with their accounts and sessions', async () => {
  const person = client()
  await authenticate(person, authenticator, username)
  compose('stop')
  for (const service of services)
    expect(docker('inspect', '--format', '{{.State.ExitCode}}', container(service)), service).toBe('0')
  compose('down')
  await up()
  const afterwards = client()
  for (const [cookie, value] of person.jar) afterwards.jar.set(cookie, value)
  await expectSignedIn(afterwards)
  expect(errorsInLog(container('latchkey'))).toEqual([])
})
