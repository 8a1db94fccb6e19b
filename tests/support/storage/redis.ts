import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { freePort, untilConnectable } from '../machine/ports'
import { endProcess, killOnExit } from '../machine/processes'
import { findProgram } from '../machine/programs'

/** A Redis server for one test, which writes nothing to disk. */
export type Redis = {
  readonly url: string
  readonly port: number
  readonly pid: number
  launch(): Promise<void>
  /** Sends a signal and waits for the exit. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Sends a signal, such as SIGSTOP, which leaves it connected but silent. */
  signal(signal: NodeJS.Signals): void
}

const STANDARD = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--databases', '1024']

/** The path of this machine's Redis or Valkey server, or null. */
export const findRedis = () => findProgram('redis-server', 'valkey-server')

/**
 * @param words more options of the server on a port
 * @param file its configuration, which a Sentinel writes to
 */
export async function startRedis(words: (port: number) => string[] = () => [], file?: string): Promise<Redis> {
  const program = findRedis()
  if (program === null) throw new Error('There is no Redis on this machine.')
  const port = await freePort()
  const more = words(port)
  let child: ChildProcess
  async function launch() {
    child = spawn(program as string, [...(file ? [file] : STANDARD), '--port', String(port), ...more], {
      cwd: tmpdir(),
      stdio: 'ignore',
    })
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
    kill: (signal) => endProcess(child, signal),
  }
}
