import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort, killOnExit } from './processes'
import { dumpPostgres } from './storage/postgres'
import { withoutUndefined } from './without-undefined'

const ROOT = resolve(import.meta.dirname, '../..')
const START_DEADLINE = 60_000

const COMMANDS = {
  node: () => ['build/server.mjs'],
  'api-only': () => ['build/server.mjs', '--api-only'],
  next: (port: number) => ['node_modules/next/dist/bin/next', 'start', '-p', String(port), '-H', '127.0.0.1'],
}

/** `node` is the product's own entry, `api-only` the same without its pages, `next` the same build served by Next alone. */
export type Mode = keyof typeof COMMANDS

export type ServerOptions = {
  /** Settings that override the defaults of a test server; undefined removes one. */
  env?: Record<string, string | undefined>
  /** A server whose database, Redis and secret this one shares. */
  beside?: Server
  mode?: Mode
  /** Where another build of the product is, such as a fork's. */
  folder?: string
}

export type Stores = { DATABASE_URL?: string | undefined; REDIS_URL?: string | undefined }

export type Server = {
  /** The address it listens on. */
  readonly url: string
  /** The first origin of APP_ORIGIN, which its pages have. */
  readonly origin: string
  readonly port: number
  readonly secret: string
  /** Path of the SQLite file; there is no file when the server runs on PostgreSQL. */
  readonly database: string
  /** Its settings for the database and Redis. */
  readonly stores: Stores
  /** Everything written to stdout and stderr so far, restarts included. */
  output(): string
  /** The id of its process. */
  pid(): number
  /** Sends a signal and waits for the exit. */
  kill(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** Stops the process if it runs, and starts it again on the same port and database. */
  restart(): Promise<void>
  /** Stops the process and removes its folder. */
  stop(): Promise<void>
}

/** Starts the built product as a process, on a free port and an empty database, and waits until it answers. */
export async function startServer({
  env = {},
  beside,
  mode = 'node',
  folder: cwd = ROOT,
}: ServerOptions = {}): Promise<Server> {
  const port = Number(env.PORT) || (await freePort())
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-'))
  const database = beside?.database ?? join(folder, 'latchkey.db')
  const { DATABASE_URL = `file:${database}`, REDIS_URL } = { ...beside?.stores, ...env }
  const secret = beside?.secret ?? env.JWT_SECRET ?? randomBytes(48).toString('base64')
  const settings: Record<string, string | undefined> = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: 'production',
    PORT: String(port),
    HOST: '127.0.0.1',
    APP_ORIGIN: `http://localhost:${port}`,
    JWT_SECRET: secret,
    BCRYPT_COST: '10',
    NEXT_TELEMETRY_DISABLED: '1',
    ...env,
    DATABASE_URL,
    REDIS_URL,
  }
  const clean = withoutUndefined(settings)
  const url = `http://127.0.0.1:${port}`
  let output = ''
  let child: ChildProcess

  async function launch() {
    child = spawn(process.execPath, COMMANDS[mode](port), { cwd, env: clean as NodeJS.ProcessEnv })
    killOnExit(child)
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
    await untilAnswering(url, child, () => output)
  }

  async function kill(signal: NodeJS.Signals) {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit')
      child.kill(signal)
      await exit
    }
    return { code: child.exitCode, signal: child.signalCode }
  }

  async function end() {
    const stubborn = setTimeout(() => child.kill('SIGKILL'), 15_000)
    await kill('SIGTERM')
    clearTimeout(stubborn)
  }

  await launch().catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true })
    throw error
  })
  return {
    url,
    origin: settings.APP_ORIGIN?.split(',')[0]?.trim() ?? `http://localhost:${port}`,
    port,
    secret,
    database,
    stores: { DATABASE_URL, REDIS_URL },
    output: () => output,
    pid: () => child.pid ?? 0,
    kill,
    restart: async () => {
      await end()
      await launch()
    },
    stop: async () => {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Waits for any HTTP answer; throws with the output if the process exits first. */
async function untilAnswering(url: string, child: ChildProcess, output: () => string) {
  const deadline = Date.now() + START_DEADLINE
  while (!(await answers(url))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The server exited: ${output()}`)
    if (Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`The server did not answer: ${output()}`)
    }
    await delay(25)
  }
}

function answers(url: string): Promise<boolean> {
  return new Promise((done) => {
    const asking = request(`${url}/api/health`, { agent: false, timeout: 10_000 }, (response) => {
      response.resume()
      done(true)
    })
    asking.on('timeout', () => asking.destroy())
    asking.on('error', () => done(false))
    asking.end()
  })
}

/** Everything a server has stored, as text: the bytes of the SQLite file and its write-ahead log, or a PostgreSQL dump. */
export function storedText({ database, stores }: Server): string {
  if (stores.DATABASE_URL?.startsWith('postgresql:')) return dumpPostgres(stores.DATABASE_URL)
  const files = [database, `${database}-wal`].filter((path) => existsSync(path))
  return files.map((path) => readFileSync(path, 'latin1')).join('')
}
