import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const children = new Set<ChildProcess>()
// A worker that exits early must leave no process behind.
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Kills the child when this process exits. */
export function killOnExit(child: ChildProcess): void {
  children.add(child)
  child.once('exit', () => children.delete(child))
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Waits until a child accepts connections; throws if it exits first. */
export async function untilConnectable(
  port: number,
  child: ChildProcess,
  deadline = Date.now() + 30_000,
): Promise<void> {
  while (!(await connectable(port))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The process on port ${port} ended.`)
    if (Date.now() > deadline) throw new Error(`Nothing answers on port ${port}.`)
    await delay(25)
  }
}

function connectable(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      done(true)
    })
    socket.on('error', () => done(false))
  })
}
