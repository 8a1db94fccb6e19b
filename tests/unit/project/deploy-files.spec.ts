import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, expect } from 'playwright/test'
import { needs } from '../../support/machine/needs'
import { freePort, untilConnectable } from '../../support/machine/ports'
import { endProcess, killOnExit } from '../../support/machine/processes'
import { temporaryFolder } from '../../support/machine/temporary-folder'

const document = readFileSync('docs/deploy.md', 'utf8')
const readFile = (name: string) => readFileSync(`docs/deploy/${name}`, 'utf8')

/** The lines of a command's standard input in the document, with every `$(...)` in them run. */
function heredoc(file: string): string {
  const [, text = ''] = new RegExp(`${file} <<(?:END|'END')\n(.*?)^END$`, 'ms').exec(document) ?? []
  return text.replaceAll(/\$\((.+?)\)/g, (_, command) =>
    execFileSync('sh', ['-c', command], { encoding: 'utf8' }).trim(),
  )
}

const test = base.extend<{ folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the pattern
  folder: async ({}, use) => {
    const folder = temporaryFolder('deploy')
    cpSync('docs/deploy', folder, { recursive: true })
    await use(folder)
  },
})

/** Runs a linter in the folder, with no settings of this machine's. @returns what it wrote and its exit code */
function lint(folder: string, command: string, words: string[], env: Record<string, string> = {}) {
  const only = { PATH: process.env.PATH, NODE_ENV: 'production' as const, ...env }
  const { status, stdout, stderr } = spawnSync(command, words, { cwd: folder, encoding: 'utf8', env: only })
  return { status, stdout, stderr }
}

test('systemd accepts every line of the unit and finds hardly anything to harden', ({ folder }) => {
  needs('systemd')
  const unit = readFile('latchkey.service')
  writeFileSync(join(folder, 'latchkey.service'), unit.replace('/usr/bin/node', process.execPath))
  // Exits with 0 for lines that systemd would ignore, too.
  const verified = lint(folder, 'systemd-analyze', ['verify', './latchkey.service'])
  expect(verified).toEqual({ status: 0, stdout: '', stderr: '' })
  const security = ['security', '--offline=true', '--threshold=15', './latchkey.service']
  expect(lint(folder, 'systemd-analyze', security).status).toBe(0)
})

test('the unit keeps the history of the checkout from the server', () => {
  const valuesOf = (name: string) => readFile('latchkey.service').match(new RegExp(`(?<=^${name}=).*$`, 'gm'))
  const [checkout] = valuesOf('WorkingDirectory') ?? []
  expect(valuesOf('InaccessiblePaths')).toEqual([`-${checkout}/.git`])
})

test('what is started by hand is a copy without the history', () => {
  const starts = [...document.matchAll(/^```sh\n((?:(?!^```).)*scripts\/start\.mjs.*?)^```$/gms)].map(
    ([, block]) => block,
  )
  expect(starts).toHaveLength(1)
  expect(starts[0]).toMatch(/^sudo install -d -o "\$USER" (\S+)\ngit archive HEAD \| tar -x -C \1 && cd \1\nnpm ci /)
})

test('the unit and the compose file kill the server only after the time that a shutdown takes', () => {
  const [, limit] = /shutdownMilliseconds = ([\d_]+)/.exec(readFileSync('lib/http/server/connections.ts', 'utf8')) ?? []
  const [, unit] = /^TimeoutStopSec=(\d+)$/m.exec(readFile('latchkey.service')) ?? []
  const [, container] = /^ {4}stop_grace_period: (\d+)s$/m.exec(services().latchkey ?? '') ?? []
  for (const seconds of [unit, container])
    expect(Number(seconds) * 1000).toBeGreaterThan(Number(limit?.replaceAll('_', '')))
})

/** The text of each service of the compose file. */
function services(): Record<string, string> {
  const [, text = ''] = /^services:\n(.*?)^\S/ms.exec(readFile('compose.yaml')) ?? []
  return Object.fromEntries(text.split(/^ {2}(?=\w+:$)/m).map((service) => [service.split(':')[0], service]))
}

test('each container starts again, has a limit of its memory, and says whether it is healthy', () => {
  const { '': _, ...named } = services()
  expect(Object.keys(named)).toEqual(['caddy', 'latchkey', 'postgres', 'redis'])
  for (const [name, text] of Object.entries(named)) {
    expect(text, name).toMatch(/^ {4}restart: unless-stopped$/m)
    expect(text, name).toMatch(/^ {4}mem_limit: \d+[mg]$/m)
    if (name === 'latchkey') expect(readFileSync('Dockerfile', 'utf8')).toMatch(/^HEALTHCHECK .*CMD/m)
    else expect(text, name).toMatch(/^ {4}healthcheck:\n {6}test: \["CMD", /m)
  }
})

test('the settings that docs/deploy.md generates stay as they are when its lines are run again', ({ folder }) => {
  needs('openssl')
  const [, block = ''] = /^cd docs\/deploy\n(.*?)^docker compose up -d --build --wait$/ms.exec(document) ?? []
  const run = () => {
    const { status, stderr } = spawnSync('sh', ['-ec', block], { cwd: folder, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    return { text: readFileSync(join(folder, '.env'), 'utf8'), mode: statSync(join(folder, '.env')).mode & 0o777 }
  }
  const first = run()
  expect(first.text).toMatch(/^JWT_SECRET=\S{64}$/m)
  expect(first.mode).toBe(0o600)
  expect(run()).toEqual(first)
})

test("Redis takes the words of the compose file, and answers the container's health check", async () => {
  needs('Redis')
  const words = (name: string): string[] => {
    const [, list = '[]'] = new RegExp(`^ +${name}: (\\[.*\\])$`, 'm').exec(services().redis ?? '') ?? []
    return JSON.parse(list)
  }
  const port = await freePort()
  const [program = '', ...options] = words('command')
  const redis = spawn(program, [...options, '--bind', '127.0.0.1', '--port', String(port)], { stdio: 'ignore' })
  killOnExit(redis)
  try {
    await untilConnectable(port, redis)
    const ask = (...question: string[]) =>
      execFileSync('redis-cli', ['-p', String(port), ...question], { encoding: 'utf8' })
        .trim()
        .split('\n')
    const [kind, , ...question] = words('test')
    expect(kind).toBe('CMD')
    expect(ask(...question)).toEqual(['PONG'])
    // What is full rejects writes, and the database counts; another policy would forget attempts.
    expect(ask('config', 'get', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction'])
    expect(ask('config', 'get', 'maxmemory')).toEqual(['maxmemory', String(64 * 1024 ** 2)])
  } finally {
    await endProcess(redis, 'SIGTERM')
  }
})

test('Compose accepts the compose file with the settings that docs/deploy.md generates, only', ({ folder }) => {
  needs('Docker Compose')
  writeFileSync(join(folder, '.env'), heredoc('> .env'))
  const { status, stdout, stderr } = lint(folder, 'docker-compose', ['config'])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const services = stdout.slice(stdout.indexOf('services:'))
  const published = services.split(/^ {2}(?=\w+:$)/m).filter((service) => service.includes('published:'))
  expect(published.map((service) => service.split(':')[0])).toEqual(['caddy'])
  expect(services).toContain('APP_ORIGIN: https://id.example.com\n')
  writeFileSync(join(folder, '.env'), heredoc('> .env').replace(/^POSTGRES_PASSWORD=.*/m, ''))
  expect(lint(folder, 'docker-compose', ['config', '--quiet']).status).not.toBe(0)
})

test('Caddy accepts the Caddyfile and formats it in no other way', ({ folder }) => {
  needs('caddy')
  const env = { HOME: folder, DOMAIN: 'id.example.com' }
  const words = ['validate', '--config', 'Caddyfile', '--adapter', 'caddyfile']
  expect(lint(folder, 'caddy', words, env).status).toBe(0)
  expect(lint(folder, 'caddy', ['fmt', 'Caddyfile'], env)).toEqual({
    status: 0,
    stdout: readFile('Caddyfile'),
    stderr: '',
  })
})

test('over http Caddy redirects pages and answers the API with an error, and it is healthy', async ({ folder }) => {
  needs('caddy')
  const [http, https, admin] = [await freePort(), await freePort(), await freePort()]
  const options = `{\n\tadmin 127.0.0.1:${admin}\n\tdefault_bind 127.0.0.1\n\thttp_port ${http}\n\thttps_port ${https}\n\tskip_install_trust\n\tlocal_certs\n}\n`
  writeFileSync(join(folder, 'Caddyfile'), options + readFile('Caddyfile'))
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, DOMAIN: 'localhost' }
  const caddy = spawn('caddy', ['run', '--config', 'Caddyfile'], { cwd: folder, env, stdio: 'ignore' })
  killOnExit(caddy)
  try {
    await untilConnectable(http, caddy)
    const ask = (path: string) => fetch(`http://localhost:${http}${path}`, { redirect: 'manual' })
    const page = await ask('/signin?next=%2F')
    expect([page.status, page.headers.get('Location')]).toEqual([308, `https://localhost/signin?next=%2F`])
    const api = await ask('/api/i')
    expect([api.status, api.headers.get('Location'), await api.text()]).toEqual([403, null, 'Use https.'])
    const [, checked = ''] = /"http:\/\/127\.0\.0\.1:2019(\/.*?)"/.exec(services().caddy ?? '') ?? []
    expect((await fetch(`http://127.0.0.1:${admin}${checked}`)).status).toBe(200)
  } finally {
    await endProcess(caddy, 'SIGTERM')
  }
})
