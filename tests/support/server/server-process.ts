import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { isRunning, killOnExit } from '../machine/processes'

const START_DEADLINE = 60_000
const STOP_DEADLINE = 15_000

type Command = { args: string[]; cwd: string; env: Record<string, string> }

/** Node with a server of the product in it, one process after another. */
export class ServerProcess {
  private child: ChildProcess | undefined
  private closed: Promise<unknown> | undefined
  private written = ''
  private readonly url: string
  private readonly command: Command

  constructor(url: string, command: Command) {
    this.url = url
    this.command = command
  }

  /** Starts a process, and waits until it answers. */
  async start(): Promise<void> {
    const { args, cwd, env } = this.command
    const child = spawn(process.execPath, args, { cwd, env: env as NodeJS.ProcessEnv })
    this.child = child
    // Later than its exit, once everything that it wrote has arrived.
    this.closed = once(child, 'close')
    killOnExit(child)
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (this.written += chunk))
    await this.untilAnswering(child)
  }

  async kill(signal: NodeJS.Signals) {
    const child = this.child
    if (!child) throw new Error('The server was never started.')
    if (isRunning(child)) child.kill(signal)
    await this.closed
    return { code: child.exitCode, signal: child.signalCode }
  }

  /** Stops the process, if it runs; throws with the output if it had to be killed. */
  async stop(deadline = STOP_DEADLINE): Promise<void> {
    let isOverdue = false
    const timer = setTimeout(() => {
      isOverdue = true
      this.child?.kill('SIGKILL')
    }, deadline)
    await this.kill('SIGTERM')
    clearTimeout(timer)
    if (isOverdue) throw new Error(`The server did not stop within ${deadline} ms, and was killed: ${this.written}`)
  }

  output = () => this.written

  pid = () => this.child?.pid ?? 0

  /** Waits for any HTTP response; throws with the output if the process exits first. */
  private async untilAnswering(child: ChildProcess) {
    const deadline = Date.now() + START_DEADLINE
    while (!(await answers(this.url))) {
      if (!isRunning(child)) throw new Error(`The server exited: ${this.written}`)
      if (Date.now() > deadline) {
        child.kill('SIGKILL')
        throw new Error(`The server did not answer: ${this.written}`)
      }
      await delay(25)
    }
  }
}

function answers(url: string): Promise<boolean> {
  return new Promise((done) => {
    const probe = request(`${url}/api/health`, { agent: false, timeout: 10_000 }, (response) => {
      response.resume()
      done(true)
    })
    probe.on('timeout', () => probe.destroy())
    probe.on('error', () => done(false))
    probe.end()
  })
}
