import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, killOnExit, untilConnectable } from './processes'

/** A Redis server of a test's own, which keeps nothing on disk. */
export type Redis = {
  readonly url: string
  readonly port: number
  readonly pid: number
  launch(): Promise<void>
  /** Ends it with a signal: SIGKILL as a crash would. SIGSTOP makes it silent but leaves it there. */
  kill(signal: NodeJS.Signals): Promise<void>
  signal(signal: NodeJS.Signals): void
}

/** The Redis or Valkey server program on this machine, or null. */
export function findRedis(): string | null {
  const programs = (process.env.PATH ?? '')
    .split(':')
    .flatMap((folder) => ['redis-server', 'valkey-server'].map((name) => join(folder, name)))
  return programs.find((path) => existsSync(path)) ?? null
}

/** Starts a server on a free port and waits until it takes connections. */
export async function startRedis(): Promise<Redis> {
  const program = findRedis()
  if (program === null) throw new Error('There is no Redis on this machine.')
  const port = await freePort()
  let child: ChildProcess
  async function launch() {
    child = spawn(
      program as string,
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--databases', '1024'],
      { cwd: tmpdir(), stdio: 'ignore' },
    )
    killOnExit(child)
    await untilConnectable(port, child)
  }
  await launch()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return child.pid as number
    },
    launch,
    signal: (signal) => void child.kill(signal),
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill(signal)
      await exit
    },
  }
}
