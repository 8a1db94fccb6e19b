import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/**
 * Gives each connection to the next of several instances. It passes bytes on and reads none of them, so that it takes little
 * of the machine that it shares with what is measured.
 *
 * @param {number} port of its own, on 127.0.0.1
 * @param {number[]} instances ports
 */
export async function startBalancer(port, instances) {
  let turn = 0
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set()
  const server = createServer((client) => {
    const instance = connect(/** @type {number} */ (instances[turn++ % instances.length]), '127.0.0.1')
    for (const [from, to] of /** @type {const} */ ([
      [client, instance],
      [instance, client],
    ])) {
      sockets.add(from.setNoDelay())
      from.on('error', () => to.destroy()).on('close', () => sockets.delete(from))
      from.pipe(to)
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
