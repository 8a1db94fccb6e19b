// `latchkey dev`: the server itself for an app under development, with people in it. docs/dev.md explains it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, type StatsListener, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { join, relative, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Command, InvalidArgumentError } from 'commander'
import { addKey, deleteKey, listKeys } from '@/lib/auth/operator/keys'
import { commandOperator } from '@/lib/auth/operator/operator'
import { openForCommand } from '@/lib/database/client'
import { applyFile } from '@/lib/openid/file/apply'
import { changesText } from '@/lib/openid/file/changes'
import { FileError } from '@/lib/openid/file/json'
import { ownFile } from '@/lib/process/files'
import { logTo } from '@/lib/process/log'
import { readEnvFile } from '@/lib/settings/env-files.mjs'
import { faultsOf } from '@/lib/settings/settings'
import { CommandError } from '../accounts/terminal'
import { asListener } from './as-port'
import {
  databaseUrl,
  folderName,
  lockFolder,
  openFolder,
  readSettingsFile,
  readText,
  setEnvironment,
  writePrivate,
} from './environment'
import { type DevelopersContent, readDevelopersFile } from './file'
import { mailServer } from './mail'
import { People } from './people'

interface Options {
  port: number
  asPort: number
  /** False with --no-as, which opens no second port */
  as: boolean
  envFile?: string
  json?: true
}

const fileName = 'latchkey.json'

const sender = 'Latchkey <latchkey@example.com>'

/** Attempts in a window: tests would meet the limits of strangers. */
const many = '1000000'

export async function runDev(args: string[]): Promise<void> {
  try {
    if (args[0] === 'accounts') await runAccounts()
    else await serve(args)
  } catch (error) {
    process.stderr.write(`${faultsOf(error).join('\n')}\n`)
    // The watchers and the second port are left.
    process.exit(error instanceof CommandError ? error.exitCode : 1)
  }
}

/** `latchkey dev accounts ...`: the commands of operators on the data here. */
async function runAccounts(): Promise<void> {
  const folder = resolve(folderName)
  if (existsSync(folder)) openFolder(folder)
  const url = readText(join(folder, 'url'))
  if (url === null) throw new CommandError(`There is no ${folderName} here. Start latchkey dev once.`)
  // A command only puts letters into the outbox, from which the server sends them.
  const mail = { SMTP_URL: 'smtp://127.0.0.1', MAIL_FROM: sender }
  setEnvironment({ APP_ORIGIN: url.trim(), DATABASE_URL: databaseUrl(folder), ...mail })
  process.argv.splice(2, 2)
  await import('../accounts')
}

/** @returns when the server has ended */
async function serve(args: string[]): Promise<void> {
  const { envFile, json, ...ports } = readOptions(args)
  if (process.env.NODE_ENV === 'production')
    throw new CommandError(
      'NODE_ENV is production, and latchkey dev keeps keys that sign in. `latchkey` starts the service.',
      2,
    )
  const given = envFile === undefined ? {} : readSettingsFile(envFile)
  const folder = resolve(folderName)
  const content = await readContent()
  openFolder(folder)
  await lockFolder(folder)

  const url = `http://localhost:${ports.port}`
  const mail = mailServer(join(folder, 'mail')).listen(0, '127.0.0.1')
  await once(mail, 'listening')
  const own = {
    APP_ORIGIN: url,
    HOST: '127.0.0.1',
    PORT: String(ports.port),
    DATABASE_URL: databaseUrl(folder),
    SMTP_URL: `smtp://127.0.0.1:${(mail.address() as AddressInfo).port}`,
  }
  const raised = { RATE_LIMIT_ADDRESS_MAX: many, RATE_LIMIT_LOGIN_MAX: many }
  const ignored = setEnvironment(own, { ...raised, MAIL_FROM: sender, ...given })
  // In their order, beside each other: a test would not find them among lines of a log.
  const say = (text: string) => (json ? process.stderr : process.stdout).write(`${text}\n`)
  if (ignored.length > 0) say(`Ignored, since settings come from --env-file alone: ${ignored.join(', ')}`)

  const people = new People(folder, url)
  const running = await start(folder, ports, people, mail)
  try {
    const { faults, secrets } = await applyAll(content, people)
    await keepKey(folder, url)
    writePrivate(join(folder, 'url'), `${url}\n`)
    if (json) process.stdout.write(`${JSON.stringify({ url, as: running.as, people: people.names })}\n`)
    else say(greeting({ url, as: running.as, people: people.names, folder }))
    for (const line of [...faults, ...secrets]) say(line)
    watch(people, say)
    await running.ended
  } finally {
    await running.stop()
  }
}

function readOptions(args: string[]): Options {
  const port = (text: string) => {
    const number = Number(text)
    if (!/^\d+$/.test(text) || number < 1 || number > 65_535) throw new InvalidArgumentError('It must be 1 to 65535.')
    return number
  }
  const command = new Command('latchkey dev')
    .description(
      `Serves Latchkey for an app under development, with the people of ${fileName}; data lies in ${folderName}.`,
    )
    .usage('[options]\n       latchkey dev accounts <command>')
    .option('--port <port>', 'where Latchkey listens', port, 3001)
    .option('--as-port <port>', 'where /as/<person> signs in', port, 3002)
    .option('--no-as', 'without that second port')
    .option('--env-file <file>', 'settings, such as APP_NAME; nothing else is read')
    .option('--json', 'print one line of JSON when it is ready')
    .showHelpAfterError()
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  const options = command.parse(args, { from: 'user' }).opts<Options>()
  if (options.as && options.port === options.asPort) throw new CommandError('--port and --as-port must differ.', 2)
  return options
}

/** @throws CommandError with the sentences of `accounts apply` */
async function readContent(): Promise<DevelopersContent> {
  const bytes = await readFile(fileName).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.from('{}')
    throw new CommandError(`${fileName} cannot be read: ${error.message}`, 2)
  })
  const variables: Record<string, string | undefined> = { ...readEnvFile('.env'), ...readEnvFile('.env.local') }
  try {
    return await readDevelopersFile(bytes, (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined))
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    throw new CommandError(error.faults.map((fault) => `${fileName}: ${fault}`).join('\n'), 2)
  }
}

/** Starts the server and the second port, both on this machine alone. @throws CommandError, with nothing left open */
async function start(folder: string, { port, asPort, as }: Options, people: People, mail: Server) {
  const url = `http://localhost:${port}`
  const servers = [mail]
  let child: ChildProcess | undefined
  const stop = async () => {
    for (const server of servers) server.close()
    if (child) await end(child)
  }
  try {
    if (as)
      for (const host of ['127.0.0.1', '::1']) {
        const server = createHttpServer(asListener(people, { port: asPort, url }))
        if (await listens(server, { host, port: asPort }, '--as-port')) servers.push(server)
      }
    // Finds out, and leaves it to the server.
    const probe = createServer()
    await listens(probe, { host: '127.0.0.1', port }, '--port')
    await new Promise((done) => probe.close(done))
    // The server has one address; what comes to the other goes there.
    const other = createServer((socket) => {
      const onward = connect(port, '127.0.0.1')
      for (const [from, to] of [[socket, onward] as const, [onward, socket] as const])
        from.on('error', () => to.destroy()).pipe(to)
    })
    if (await listens(other, { host: '::1', port }, '--port')) servers.push(other)
    const log = openSync(join(folder, 'server.log'), 'w', 0o600)
    logTo(log)
    child = spawn(process.execPath, [ownFile('build/dev-server.mjs')], {
      stdio: ['ignore', log, log, 'ipc'],
      // Ctrl+C is for this process, which then ends the server.
      detached: process.platform !== 'win32',
    })
    const ended = once(child, 'exit').then(() => undefined)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => void stop().then(() => process.exit(0)))
    const isReady = await Promise.race([once(child, 'message').then(() => true), ended.then(() => false)])
    if (!isReady)
      throw new CommandError((readText(join(folder, 'server.log')) ?? '').trimEnd() || 'The server has ended.')
    await openForCommand()
    const died = ended.then(() => {
      throw new CommandError(`The server has ended. ${relative('.', join(folder, 'server.log'))} says why.`)
    })
    return { as: as ? `http://localhost:${asPort}` : null, ended: died, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A killed `latchkey dev` frees its ports a moment later than its folder. */
const portMilliseconds = 1_000

/** @returns false where this machine has no such address @throws CommandError if the port is taken */
async function listens(
  server: Server,
  { host, port }: { host: string; port: number },
  option: string,
): Promise<boolean> {
  for (const begun = Date.now(); ; await pause(100)) {
    try {
      await once(server.listen({ host, port, ipv6Only: host === '::1' }), 'listening')
      return true
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (host === '::1' && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')) return false
      if (code === 'EADDRINUSE' && Date.now() - begun < portMilliseconds) continue
      const reason = code === 'EADDRINUSE' ? 'is taken' : `cannot be opened (${code})`
      throw new CommandError(`Port ${port} ${reason}. Choose another one with ${option}.`)
    }
  }
}

/** The server waits for requests in progress; a page that polls must not make Ctrl+C wait for it. */
const patienceMilliseconds = 1_500

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), patienceMilliseconds)
  await ended
  clearTimeout(late)
}

/** Makes apps, groups and people what the file says. */
async function applyAll(content: DevelopersContent, people: People) {
  const { changes, secrets } = await applyFile(commandOperator(), content, {})
  const faults = await people.apply(content.people)
  const lines = Object.entries(secrets).map(
    ([app, secret]) => `The secret of ${app}, which is shown this once: ${secret}`,
  )
  return { changes, faults, secrets: lines }
}

/** A key for the tests' own helpers, which make people and groups. */
async function keepKey(folder: string, url: string): Promise<void> {
  const path = join(folder, 'key')
  const known = readText(path)?.trim()
  const name = 'latchkey-dev'
  if (known) {
    const headers = { Authorization: `Bearer ${known}`, 'Content-Type': 'application/json' }
    if ((await fetch(`${url}/api/admin/stats`, { method: 'POST', headers, body: '{}' })).ok) return
  }
  const operator = commandOperator()
  const { keys } = await listKeys()
  if (keys.some((key) => key.name === name)) await deleteKey(operator, name)
  const { secret } = await addKey(operator, { name, areas: ['all', 'trust'], expires: 'never' })
  writePrivate(path, `${secret}\n`)
}

const lookMilliseconds = 300

/** Applies the file again when it, or what it may name, has changed. One that is wrong changes nothing. */
function watch(people: People, say: (text: string) => void): void {
  let turn = Promise.resolve()
  const again: StatsListener = (now, before) => {
    // Told at once of a file that does not exist.
    if (now.mtimeMs === before.mtimeMs && now.size === before.size) return
    turn = turn.then(async () => {
      try {
        const { changes, faults, secrets } = await applyAll(await readContent(), people)
        for (const line of [`${fileName}: ${changesText(changes)}`, ...faults, ...secrets]) say(line)
      } catch (error) {
        say(`${faultsOf(error).join('\n')}\nNothing has changed.`)
      }
    })
  }
  for (const name of [fileName, '.env.local', '.env']) watchFile(name, { interval: lookMilliseconds }, again)
}

const mostNamed = 12

function greeting({
  url,
  as,
  people,
  folder,
}: {
  url: string
  as: string | null
  people: string[]
  folder: string
}): string {
  const where = relative('.', folder)
  const lines = [
    `Latchkey is ready: ${url}`,
    `Its log is ${join(where, 'server.log')}, an operator's key ${join(where, 'key')}, and letters lie in ${join(where, 'mail')}.`,
  ]
  if (people.length === 0)
    lines.push('', `Nobody is in it yet. ${fileName} brings people: {"people": [{"username": "ada"}]}`)
  if (as === null || people.length === 0) return lines.join('\n')
  const named = people.slice(0, mostNamed).map((name) => `  ${as}/as/${encodeURIComponent(name)}`)
  const others = people.length > mostNamed ? [`  and ${people.length - mostNamed} more: ${as}`] : []
  return [
    ...lines,
    '',
    'Sign in as:',
    ...named,
    ...others,
    '',
    'For AGENTS.md:',
    `  ${lineForAgents(as, people[0] ?? '')}`,
  ].join('\n')
}

const lineForAgents = (as: string, name: string) =>
  `To be signed in as ${name}: curl -sL -c jar -b jar '${as}/as/${encodeURIComponent(name)}?to=http://localhost:3000/', or open that address in a browser.`
