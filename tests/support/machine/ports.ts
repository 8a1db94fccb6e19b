import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { isRunning } from './processes'

/**
 * Below those that the system gives to connections, which would take a free one before its server does. Each worker has
 * its own, or another's server could take one that was free a moment ago; so has a run beside another one in CI.
 */
const [lowestPort, ports, workers] = [12_000, 1_250, 16]
const index = Number(process.env.TEST_PARALLEL_INDEX ?? 0) + (process.env.TEST_RUN_BESIDE ? workers / 2 + 1 : 0)
const firstPort = lowestPort + (index % workers) * ports
let nextPort = randomInt(ports)

/** A port that is free now, and that this process has not given out before. */
export async function freePort(): Promise<number> {
  const port = firstPort + (nextPort++ % ports)
  const probe = createServer().listen(port, '127.0.0.1')
  const isFree = await once(probe, 'listening').then(
    () => true,
    () => false,
  )
  if (!isFree) return freePort()
  probe.close()
  await once(probe, 'close')
  return port
}

/** Waits until a child accepts connections; throws if it exits first. */
export async function untilConnectable(
  port: number,
  child: ChildProcess,
  deadline = Date.now() + 60_000,
): Promise<void> {
  while (!(await connectable(port))) {
    if (!isRunning(child)) throw new Error(`The process on port ${port} ended.`)
    if (Date.now() > deadline) throw new Error(`Nothing answers on port ${port}.`)
    await delay(25)
  }
}

/** Waits until a port accepts no connections. */
export async function untilClosed(port: number, deadline = Date.now() + 60_000): Promise<void> {
  while (await connectable(port)) {
    if (Date.now() > deadline) throw new Error(`Port ${port} still accepts connections.`)
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
