import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { freePort } from '../machine/ports'
import { temporaryFolder } from '../machine/temporary-folder'
import { withoutUndefined } from '../without-undefined'
import { recordOutput } from './server-output'
import { ServerProcess } from './server-process'

const ROOT = resolve(import.meta.dirname, '../../..')

/** Node's words that load a file beside this one before the server's own code. */
const loading = (file: string) => ['--import', pathToFileURL(resolve(import.meta.dirname, file)).href]

const COMMANDS = {
  node: () => ['build/server.mjs'],
  'api-only': () => ['build/server.mjs', '--api-only'],
  next: (port: number) => ['node_modules/next/dist/bin/next', 'start', '-p', String(port), '-H', '127.0.0.1'],
}

/** `node` is the product's own entry, `api-only` the same without its pages, `next` the same build served by Next alone. */
export type Mode = keyof typeof COMMANDS

export type ServerOptions = {
  /**
   * Settings that override the defaults of a test server; undefined removes one. With a BCRYPT_COST, hashes take the work that
   * they name; otherwise they say 10, and take the least that bcrypt has.
   */
  env?: Record<string, string | undefined>
  /** A server whose database, Redis and secret this one shares. */
  beside?: Server
  mode?: Mode
  /** Lets requests, and CLOCK_AHEAD, move the server's clock. */
  clock?: 'movable'
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
  /** Its JWT_SECRET; empty where it makes one itself. */
  readonly secret: string
  /** Path of the SQLite file; there is no file when the server runs on PostgreSQL. */
  readonly database: string
  /** Its database, as DATABASE_URL names it. */
  readonly databaseUrl: string
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
  mode = 'node',
  folder: cwd = ROOT,
  ...options
}: ServerOptions = {}): Promise<Server> {
  const port = Number(options.env?.PORT) || (await freePort())
  const url = `http://127.0.0.1:${port}`
  const folder = temporaryFolder('test')
  const { settings, ...own } = settingsFor(options, port, folder)

  const args = [
    ...(options.env?.BCRYPT_COST ? [] : loading('quick-hashes.mjs')),
    ...(options.clock ? loading('server-clock.mjs') : []),
    ...COMMANDS[mode](port),
  ]
  const running = new ServerProcess(url, { args, cwd, env: withoutUndefined(settings) })
  await running.start()
  const endRecord = recordOutput(url, running.output)
  return {
    ...own,
    url,
    origin: settings.APP_ORIGIN?.split(',')[0]?.trim() ?? originAt(port),
    port,
    output: running.output,
    pid: running.pid,
    kill: (signal) => running.kill(signal),
    restart: async () => {
      await running.stop()
      await running.start()
    },
    stop: async () => {
      // Next alone waits for the connections that a browser has opened and not used.
      if (mode === 'next') await running.kill('SIGKILL')
      else await running.stop()
      endRecord()
      // Not at the end of the worker, which starts hundreds.
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** All settings of a test server, and those of them that tests read. */
function settingsFor({ env = {}, beside }: Pick<ServerOptions, 'env' | 'beside'>, port: number, folder: string) {
  const database = beside?.database ?? join(folder, 'latchkey.db')
  const { DATABASE_URL = `file:${database}`, REDIS_URL } = { ...beside?.stores, ...env }
  const stores: Stores = { DATABASE_URL, REDIS_URL }
  const shared = beside?.secret ?? randomBytes(48).toString('base64')
  const settings: Record<string, string | undefined> = { ...defaults(port, shared), ...env, ...stores }
  return { settings, database, databaseUrl: DATABASE_URL, stores, secret: settings.JWT_SECRET ?? '' }
}

const originAt = (port: number) => `http://localhost:${port}`

/** Nothing else of this process's environment reaches it. */
const defaults = (port: number, secret: string) => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_ENV: 'production',
  PORT: String(port),
  HOST: '127.0.0.1',
  APP_ORIGIN: originAt(port),
  JWT_SECRET: secret,
  BCRYPT_COST: '10',
  NEXT_TELEMETRY_DISABLED: '1',
})
