// A load generator on raw sockets, which leaves as much CPU time as possible to the server it measures.
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * @typedef {object} Load
 * @property {number} port on 127.0.0.1
 * @property {string} path
 * @property {string} [method] POST unless given
 * @property {Record<string, string>} [headers]
 * @property {Record<string, string>[]} [each] headers of one request each, in turn
 * @property {string[]} [bodies] JSON, sent in turn
 * @property {number} [addresses] of clients that a proxy would pass on, in turn with the bodies; one unless given
 * @property {number} connections each sends its next request after the last response
 * @property {number} seconds
 * @property {number} [most] sends so many requests and then ends, however early
 * @property {number} [pauseMilliseconds] between an answer and the next request
 *
 * @typedef {object} Result
 * @property {number} count of answers
 * @property {number} rate answers a second
 * @property {number} p50 milliseconds
 * @property {number} p99 milliseconds
 * @property {Record<string, number>} statuses how many answers had which status
 */

process.once('message', async (/** @type {Load} */ load) => {
  process.send?.(await run(load))
  process.disconnect()
})

/** @param {Load} load @returns {Promise<Result>} */
async function run(load) {
  const { bodies = [''], each = [{}], addresses = 1, most = Number.POSITIVE_INFINITY } = load
  const length = Math.max(bodies.length, each.length, addresses)
  const requests = Array.from({ length }, (_, index) =>
    requestBytes(load, bodies[index % bodies.length] ?? '', addressOf(index % addresses), each[index % each.length]),
  )
  /** @type {number[]} */
  const waits = []
  /** @type {Record<string, number>} */
  const statuses = {}
  const start = performance.now()
  let sent = 0
  const connection = async () => {
    const ask = await open(load.port)
    while (performance.now() - start < load.seconds * 1000 && sent < most) {
      const asked = performance.now()
      const status = await ask(/** @type {Buffer} */ (requests[sent++ % requests.length]))
      waits.push(performance.now() - asked)
      statuses[status] = (statuses[status] ?? 0) + 1
      if (load.pauseMilliseconds) await pause(load.pauseMilliseconds)
    }
    ask.close()
  }
  await Promise.all(Array.from({ length: load.connections }, connection))
  const seconds = (performance.now() - start) / 1000
  waits.sort((a, b) => a - b)
  const at = (/** @type {number} */ part) => waits[Math.floor(waits.length * part)] ?? Number.NaN
  return { count: waits.length, rate: waits.length / seconds, p50: at(0.5), p99: at(0.99), statuses }
}

/** One of the 65,536 of a network that is reserved for this (RFC 2544 section C.2.2). @param {number} index */
const addressOf = (index) => `198.18.${(index >> 8) & 255}.${index & 255}`

/** @param {Load} load @param {string} body @param {string} address @param {Record<string, string>} [own] headers */
function requestBytes({ port, path, method = 'POST', headers }, body, address, own) {
  const type = body === '' ? {} : { 'Content-Type': 'application/json' }
  const all = {
    Host: `localhost:${port}`,
    'X-Forwarded-For': address,
    ...headers,
    ...own,
    ...type,
    ...(method !== 'GET' && { 'Content-Length': String(Buffer.byteLength(body)) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

/** Opens a connection that sends one request at a time and returns the status. @param {number} port */
async function open(port) {
  const socket = connect(port, '127.0.0.1').setNoDelay()
  await new Promise((done, fail) => socket.once('connect', done).once('error', fail))
  const ask = (/** @type {Buffer} */ request) =>
    new Promise((/** @type {(status: string) => void} */ done, fail) => {
      let answer = Buffer.alloc(0)
      socket.removeAllListeners().once('error', fail)
      socket.once('close', () => fail(new Error('The server closed the connection.')))
      socket.on('data', (chunk) => {
        answer = answer.length === 0 ? chunk : Buffer.concat([answer, chunk])
        if (isWhole(answer)) done(answer.toString('latin1', 9, 12))
      })
      socket.write(request)
    })
  return Object.assign(ask, { close: () => socket.removeAllListeners().destroy() })
}

/** Whether a response is complete (RFC 9112 section 6.3). @param {Buffer} answer */
function isWhole(answer) {
  const end = answer.indexOf('\r\n\r\n')
  if (end < 0) return false
  const head = answer.toString('latin1', 0, end)
  const length = /^content-length: (\d+)/im.exec(head)
  if (length) return answer.length >= end + 4 + Number(length[1])
  return !/^transfer-encoding: chunked/im.test(head) || answer.toString('latin1', answer.length - 5) === '0\r\n\r\n'
}
