import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { signUp } from '../support/accounts'
import { Client } from '../support/client'
import { freePort, untilClosed } from '../support/machine/ports'
import { killOnExit } from '../support/machine/processes'

const app = `${process.env.LATCHKEY_APP}`
const tarball = `${process.env.LATCHKEY_TARBALL}`
const program = join(app, 'node_modules/.bin/latchkey')
const bare = { PATH: `${process.env.PATH}` }

/** Runs the command without HOME. @returns what it printed, and its exit code */
function run(words: string[], { cwd = app, env = {} }: { cwd?: string; env?: Record<string, string> } = {}) {
  const environment = { ...bare, ...env } as unknown as NodeJS.ProcessEnv
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd,
    env: environment,
    encoding: 'utf8',
    timeout: 120_000,
  })
  return { status, stdout, stderr }
}

interface Started {
  child: ChildProcess
  output: () => string
}

/** Starts the command, and waits until it prints the text. */
async function start(words: string[], text: string, env: Record<string, string> = {}): Promise<Started> {
  const child = spawn(program, words, { cwd: app, env: { ...bare, ...env } as unknown as NodeJS.ProcessEnv })
  killOnExit(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part))
  await expect.poll(() => (child.exitCode === null ? output : `ended: ${output}`)).toContain(text)
  return { child, output: () => output }
}

/** @returns the exit code */
async function stop({ child }: Started, signal: NodeJS.Signals): Promise<number | null> {
  const ended = once(child, 'exit')
  child.kill(signal)
  const [code] = await ended
  return code
}

test('the package is under 24 MB for eight platforms, and holds no link, script, compiler, manual or test of a package', () => {
  expect(statSync(tarball).size).toBeLessThan(24e6)
  const listed = execFileSync('tar', ['tvzf', tarball], { encoding: 'utf8', maxBuffer: 1e8 }).trim().split('\n')
  expect(listed.length).toBeGreaterThan(1_000)
  expect(listed.filter((line) => !line.startsWith('-'))).toEqual([])
  expect(listed.filter((line) => /binding\.gyp|\.ts$|\.map$|\/tests?\/|jwt-secret|\.env/.test(line))).toEqual([])
  const installed = join(app, 'node_modules/latchkey')
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  const manifests = files.filter((file) => /(^|\/)package\.json$/.test(file))
  const scripts = manifests.filter((file) => 'scripts' in JSON.parse(readFileSync(join(installed, file), 'utf8')))
  expect([manifests.length > 40, scripts]).toEqual([true, []])
  expect(readdirSync(join(app, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['latchkey'])
  const binaries = files
    .filter((file) => file.endsWith('.node'))
    .map((file) => /prebuilds\/(.+)\/.*?(musl)?\.node$/.exec(file))
  expect(binaries.map((found) => [found?.[1], found?.[2]].filter(Boolean).join(' ')).sort()).toEqual([
    'darwin-arm64',
    'darwin-x64',
    'linux-arm64',
    'linux-arm64 musl',
    'linux-x64',
    'linux-x64 musl',
    'win32-arm64',
    'win32-x64',
  ])
})

test('the installed service reads its own files wherever it runs, and of an app only data and .env', async () => {
  for (const folder of ['public', '.next/static', 'prisma']) mkdirSync(join(app, folder), { recursive: true })
  writeFileSync(join(app, 'public/of-the-app.txt'), 'The app.')
  writeFileSync(join(app, 'next.config.mjs'), "throw new Error('The configuration of the app')")
  const port = await freePort()
  writeFileSync(join(app, '.env'), `APP_NAME=Of the file\nPORT=${port}\nHOST=127.0.0.1\n`)
  const server = { url: `http://127.0.0.1:${port}`, origin: `http://localhost:${port}` }
  const running = await start([], 'Latchkey is ready')
  const { username } = await signUp(new Client(server))
  const person = new Client(server)
  const page = await person.get('/signin')
  expect([page.status, page.text.includes('Of the file')]).toEqual([200, true])
  const script = /\/_next\/static\/[^"\\]+\.js/.exec(page.text)?.[0] ?? ''
  expect((await person.get(script)).status).toBe(200)
  expect((await person.get('/of-the-app.txt')).status).toBe(404)
  expect(JSON.parse(run(['accounts', 'list', '--json']).stdout).accounts).toMatchObject([{ username }])
  expect(run(['doctor']).stdout).not.toMatch(/^FAIL/m)
  expect(await stop(running, 'SIGTERM')).toBe(0)
  expect(existsSync(join(app, 'data/latchkey.db'))).toBe(true)
  expect(run(['server']).status).toBe(2)
})

test.describe('latchkey dev', () => {
  test.describe.configure({ mode: 'serial' })

  let port = 0
  let asPort = 0
  let running: Started
  const ports = () => ['--port', `${port}`, '--as-port', `${asPort}`]
  const write = (people: object[]) =>
    writeFileSync(
      join(app, 'latchkey.json'),
      JSON.stringify({
        groups: ['family'],
        apps: [
          {
            id: 'notes',
            name: 'Notes',
            redirectUris: ['http://localhost:5173/auth/callback'],
            secret: { env: 'NOTES_SECRET' },
          },
        ],
        people,
      }),
    )
  const ada = {
    username: 'ada',
    displayName: 'Ada Lovelace',
    email: 'ada@example.com',
    groups: ['family', 'chess'],
  }

  /** A request with exactly these headers. */
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<{ status: number; headers: Record<string, string | string[] | undefined>; text: string }>(
      (done, fail) => {
        const options = {
          host: '127.0.0.1',
          port: asPort,
          path,
          method,
          headers: { Host: `localhost:${asPort}`, ...headers },
        }
        request(options, (response) => {
          let text = ''
          response.on('data', (part) => (text += part))
          response.on('end', () => done({ status: response.statusCode ?? 0, headers: response.headers, text }))
        })
          .on('error', fail)
          .end()
      },
    )

  const cookieOf = (answer: { headers: Record<string, string | string[] | undefined> }) =>
    [answer.headers['set-cookie'] ?? []]
      .flat()
      .map((line) => line.split(';')[0])
      .join('; ')

  const whoIs = async (cookie: string) => {
    const response = await fetch(`http://localhost:${port}/api/i`, { method: 'POST', headers: { Cookie: cookie } })
    return response.ok ? await response.json() : null
  }

  test.beforeAll(async () => {
    port = await freePort()
    asPort = await freePort()
    writeFileSync(join(app, '.env.local'), `NOTES_SECRET=${'s'.repeat(40)}\nAPP_NAME=Of the app\nPORT=1\n`)
    write([ada, { username: 'ben' }])
    running = await start(['dev', ...ports()], 'Latchkey is ready', {
      DATABASE_URL: 'postgresql://nowhere/app',
      PORT: '1',
    })
  })
  test.afterAll(() => running.child.kill('SIGKILL'))

  test('latchkey dev makes people, apps and groups of latchkey.json, ignores the settings of the app, and says so in 24 lines', async () => {
    const output = running.output()
    expect(output.trim().split('\n').length).toBeLessThanOrEqual(24)
    expect(output).toMatch(/Ignored.*: .*DATABASE_URL/)
    for (const said of [`http://localhost:${asPort}/as/ada`, 'AGENTS.md', '.latchkey/key'])
      expect(output).toContain(said)
    const show = (...words: string[]) => JSON.parse(run(['dev', 'accounts', ...words, '--json']).stdout)
    const { groups, displayName, email } = show('show', 'ada')
    expect({ groups: groups.sort(), displayName, email }).toEqual({
      groups: ['chess', 'family'],
      displayName: 'Ada Lovelace',
      email: 'ada@example.com',
    })
    expect(show('app', 'list').apps).toMatchObject([{ id: 'notes' }])
    expect((await (await fetch(`http://localhost:${port}/signin`)).text()).includes('Of the app')).toBe(false)
    for (const host of ['127.0.0.1', '[::1]'])
      expect((await fetch(`http://${host}:${port}/api/health`)).status).toBe(200)
    show('invite', '--email', 'carl@example.com')
    const mail = join(app, '.latchkey/mail')
    const letters = () => readdirSync(mail).filter((name) => name.endsWith('-carl@example.com.eml'))
    await expect.poll(letters).toHaveLength(1)
    expect(readFileSync(join(mail, letters()[0] ?? ''), 'utf8')).toContain('To: carl@example.com\r\n')
    const modes = ['.', 'mail', 'key', 'passkeys.json', 'latchkey.db'].map(
      (name) => statSync(join(app, '.latchkey', name)).mode & 0o777,
    )
    expect(modes).toEqual([0o700, 0o700, 0o600, 0o600, 0o600])
    const Authorization = `Bearer ${readFileSync(join(app, '.latchkey/key'), 'utf8').trim()}`
    const headers = { Authorization, 'Content-Type': 'application/json' }
    const stats = await fetch(`http://localhost:${port}/api/admin/stats`, { method: 'POST', headers, body: '{}' })
    expect(stats.status).toBe(200)
  })

  test('the second port signs in for real and goes on, ends the session of before, and drops what apps remember', async () => {
    const to = 'http://localhost:5173/notes'
    const first = await ask(`/as/ada?to=${to}`)
    expect([first.status, first.headers.location]).toEqual([303, to])
    expect(await whoIs(cookieOf(first))).toMatchObject({ username: 'ada', displayName: 'Ada Lovelace' })
    const cookies = `${cookieOf(first)}; latchkey-app-0123abcd=x; other=y`
    const second = await ask('/as/ben', { Cookie: cookies, 'User-Agent': 'curl/8' })
    expect([second.status, second.text.includes('/as/ada')]).toEqual([200, true])
    expect(await whoIs(cookieOf(second))).toMatchObject({ username: 'ben' })
    expect(await whoIs(cookieOf(first))).toBe(null)
    const expired = [second.headers['set-cookie'] ?? []].flat().filter((line) => line.includes('Max-Age=0'))
    expect(expired.map((line) => line.split('=')[0])).toEqual(['latchkey-app-0123abcd', 'latchkey-app-0123abcd-id'])
    const state = JSON.parse((await ask('/as/ada?as=storage-state')).text)
    const session = state.cookies.find(({ name }: { name: string }) => name === 'latchkey-session')
    expect(session).toMatchObject({ domain: 'localhost', path: '/', httpOnly: true, secure: false, sameSite: 'Lax' })
    expect(await whoIs(`latchkey-session=${session.value}`)).toMatchObject({ username: 'ada' })
  })

  test('the second port refuses what a page of another site or a proxy could send, and answers nothing but a GET for a person', async () => {
    const path = '/as/ada?to=http://localhost:5173/'
    const refusals: [what: string, status: number, path: string, headers?: Record<string, string>, method?: string][] =
      [
        ['another host', 403, path, { Host: 'attacker.example' }],
        ['another port', 403, path, { Host: 'localhost:1' }],
        ['IPv6', 403, path, { Host: `[::1]:${asPort}` }],
        ['a proxy', 403, path, { 'X-Forwarded-For': '192.0.2.1' }],
        ['another proxy', 403, path, { Forwarded: 'for=192.0.2.1' }],
        ['a gateway', 403, path, { Via: '1.1 gateway' }],
        [
          'another site',
          403,
          path,
          { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' },
        ],
        ['a fetch', 403, path, { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'cors' }],
        [
          'an image',
          403,
          path,
          { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' },
        ],
        [
          'a frame',
          403,
          path,
          { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' },
        ],
        ['a prefetch', 403, path, { 'Sec-Purpose': 'prefetch' }],
        ['HEAD', 405, path, {}, 'HEAD'],
        ['POST', 405, path, {}, 'POST'],
        ['OPTIONS', 405, path, {}, 'OPTIONS'],
        ['nobody', 404, '/as/eve'],
        ['a broken name', 404, '/as/%zz'],
        ['another path', 404, '/as/ada/x'],
        ...[
          'https://attacker.example/',
          '/notes',
          '//localhost/',
          'javascript:alert(1)',
          'http://user@localhost/',
          'http://localhost.attacker.example/',
          'http://localhost@attacker.example/',
          'http:localhost',
          'ftp://localhost/',
          '',
        ].map((to): [string, number, string] => [to, 400, `/as/ada?to=${encodeURIComponent(to)}`]),
        ['two targets', 400, `${path}&to=http://localhost/`],
      ]
    for (const [what, status, asked, headers, method] of refusals) {
      const answer = await ask(asked, headers, method)
      expect([what, answer.status, answer.headers['set-cookie']]).toEqual([what, status, undefined])
    }
    const sent = await ask(path, { Host: `127.0.0.1:${asPort}` })
    expect([sent.status, sent.headers.location]).toEqual([307, `http://localhost:${asPort}${path}`])
    const browsers = { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
    expect((await ask(path, { ...browsers, 'User-Agent': 'Mozilla/5.0' })).status).toBe(303)
    const asked = await ask(path, { 'User-Agent': 'Mozilla/5.0' })
    expect([asked.status, asked.headers['set-cookie']]).toEqual([200, undefined])
    const button = /href="(\/as\/ada[^"]+)"/.exec(asked.text)?.[1]?.replaceAll('&#38;', '&') ?? ''
    expect((await ask(button.replace('/as/ada', '/as/ben'), { 'User-Agent': 'Mozilla/5.0' })).status).toBe(200)
    expect((await ask(button, { 'User-Agent': 'Mozilla/5.0' })).status).toBe(303)
  })

  test('a changed latchkey.json is applied while latchkey dev runs, and one that is wrong changes nothing and says why', async () => {
    write([ada, { username: 'eve', groups: ['admins'] }])
    await expect.poll(running.output).toContain('people[1].groups[0]: no file makes admins')
    expect((await ask('/as/eve')).status).toBe(404)
    expect((await ask('/as/ben')).status).toBe(200)
    write([ada, { username: 'eve', groups: ['chess'] }])
    await expect.poll(async () => (await ask('/as/eve')).status).toBe(200)
    expect((await ask('/as/ben')).status).toBe(404)
  })

  test('a second latchkey dev in the folder ends, a killed one starts again with everybody, and Ctrl+C ends it within three seconds', async () => {
    const other = run(['dev', '--port', `${await freePort()}`, '--as-port', `${await freePort()}`])
    expect([other.status, other.stderr]).toEqual([1, expect.stringContaining('already runs in this folder')])
    const before = readFileSync(join(app, '.latchkey/passkeys.json'), 'utf8')
    await stop(running, 'SIGKILL')
    running = await start(['dev', ...ports(), '--json'], '"url"')
    expect(JSON.parse(running.output().split('\n')[0] ?? '')).toEqual({
      url: `http://localhost:${port}`,
      as: `http://localhost:${asPort}`,
      people: ['ada', 'eve'],
    })
    expect(readFileSync(join(app, '.latchkey/passkeys.json'), 'utf8')).toBe(before)
    expect(await whoIs(cookieOf(await ask('/as/eve')))).toMatchObject({ username: 'eve' })
    const begun = Date.now()
    expect(await stop(running, 'SIGINT')).toBe(0)
    expect(Date.now() - begun).toBeLessThan(3_000)
    for (const one of [port, asPort]) await untilClosed(one)
  })

  test('latchkey dev names what keeps it from starting, and leaves nothing open', async () => {
    const folder = join(app, 'another')
    mkdirSync(folder)
    const cases: [file: string | null, words: string[], env: Record<string, string>, status: number, said: string][] = [
      [null, [], { NODE_ENV: 'production' }, 2, 'NODE_ENV is production'],
      ...[
        'DATABASE_URL=file:x',
        'REDIS_URL=redis://x',
        'SMTP_URL=smtp://x',
        'APP_ORIGIN=http://x',
        'HOST=x',
        'PORT=1',
      ].map((line): (typeof cases)[number] => [line, ['--env-file', 'settings'], {}, 2, line.split('=')[0] ?? '']),
      ['PASSWORDS=maybe', ['--env-file', 'settings'], {}, 1, 'PASSWORDS must be on or off'],
      [null, ['--port', '0'], {}, 2, 'must be 1 to 65535'],
      [null, ['--port', `${asPort}`], {}, 2, 'must differ'],
    ]
    for (const [file, words, env, status, said] of cases) {
      if (file !== null) writeFileSync(join(folder, 'settings'), file)
      const ended = run(['dev', '--port', `${port}`, '--as-port', `${asPort}`, ...words], { cwd: folder, env })
      expect([said, ended.status, ended.stderr]).toEqual([said, status, expect.stringContaining(said)])
    }
    const taken = await start(['dev', ...ports()], 'Latchkey is ready')
    const free = `${await freePort()}`
    for (const [option, given] of [
      ['--port', ['--port', `${port}`, '--as-port', free]],
      ['--as-port', ['--port', free, '--as-port', `${asPort}`]],
    ] as const) {
      const ended = run(['dev', ...given], { cwd: folder })
      expect([ended.status, ended.stderr]).toEqual([1, expect.stringMatching(new RegExp(`taken.*${option}`))])
      await untilClosed(Number(free))
    }
    expect(await stop(taken, 'SIGTERM')).toBe(0)
    writeFileSync(join(folder, 'latchkey.json'), '{"people": [{"username": "ada", "group": []}]}')
    expect(run(['dev', ...ports()], { cwd: folder })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('people[0].group is no field. The nearest is groups.'),
    })
    const linked = join(app, 'linked')
    mkdirSync(linked)
    symlinkSync(join(folder, '.latchkey'), join(linked, '.latchkey'))
    expect(run(['dev', ...ports()], { cwd: linked })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('link'),
    })
    expect(run(['dev', 'accounts', 'list'], { cwd: linked })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('link'),
    })
    const tracked = join(app, 'tracked')
    mkdirSync(join(tracked, '.latchkey'), { recursive: true })
    writeFileSync(join(tracked, '.latchkey/key'), '')
    execFileSync('git', ['init', '--quiet'], { cwd: tracked })
    execFileSync('git', ['add', '--force', '.latchkey/key'], { cwd: tracked })
    expect(run(['dev', ...ports()], { cwd: tracked })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('git tracks'),
    })
    // As in a repository of another user, where git says nothing.
    expect(run(['dev', ...ports()], { cwd: tracked, env: { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' } })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('git config --global --add safe.directory'),
    })
  })
})
