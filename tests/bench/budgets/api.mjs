import { bearer, populate } from '../accounts.mjs'
import { inTurns, mapValues, median } from '../interleave.mjs'
import { requestsOf, send, warmUp } from '../loads.mjs'
import { mainThreadCpu, residentMemory } from '../process-cost.mjs'
import { accessTokenOf } from '../scale/exercise-apps.mjs'
import { startProduct } from '../servers.mjs'

/** @typedef {import('../servers.mjs').Server} Server */
/** @typedef {import('../report.mjs').Report} Report */

const accounts = 10_000
const against = 'a bare node:http server'

/**
 * What the main thread pays for each answer that a proxy, an app or a page asks for most often, and the memory after it.
 *
 * @param {Report} report
 * @param {Server} bare
 */
export async function benchApi(report, bare) {
  const product = await startProduct(10)
  const idle = residentMemory(product.pid)
  const { check, checkOne, optionsEach } = await requestsOf(product, await populate(product, accounts), accounts)
  const get = (/** @type {string} */ path, more = {}) => ({ path, method: 'GET', ...more })
  const proxied = { 'X-Forwarded-Host': 'app.example.com', 'X-Forwarded-Uri': '/' }
  const forwardAuth = get('/api/forward-auth', { each: check.each, addresses: 10_000, headers: proxied })
  const anonymous = get('/api/forward-auth', { headers: proxied, status: '401' })
  /** @type {Record<string, { requests: import('../loads.mjs').Requests, goal: number }>} */
  const rows = {
    'a session check, one token': { requests: checkOne, goal: 9.5 },
    'a session check, 10,000 tokens in turn': { requests: check, goal: 10.5 },
    'forward-auth, 10,000 tokens in turn': { requests: forwardAuth, goal: 9 },
    'forward-auth, an anonymous call': { requests: anonymous, goal: 6 },
    userinfo: {
      requests: get('/api/oauth/userinfo', { headers: bearer(await accessTokenOf(product)) }),
      goal: 10,
    },
    'the discovery document': { requests: get('/.well-known/openid-configuration'), goal: 2.5 },
    'the key set': { requests: get('/.well-known/jwks.json'), goal: 5.5 },
    'passkey options, each from another address': { requests: optionsEach, goal: 14 },
  }
  await warmUp(bare, { path: '/' })
  for (const { requests } of Object.values(rows)) await warmUp(product, requests)
  const found = await inTurns({
    bare: costOf(bare, { path: '/' }),
    ...mapValues(rows, ({ requests }) => costOf(product, requests)),
  })
  const costs = /** @type {Record<string, number>} */ (mapValues(found, median))
  for (const [what, { goal }] of Object.entries(rows)) {
    const figures = /** @type {[number, number]} */ ([costs[what], costs.bare])
    report.compare(`main-thread CPU of ${what}`, against, figures, { of: ' us', better: 'at most', goal })
  }
  const memory = { of: ' MB', better: /** @type {const} */ ('at most') }
  const floor = residentMemory(bare.pid)
  report.compare('memory right after the start', against, [idle, floor], memory)
  report.compare('memory after these requests', against, [residentMemory(product.pid), floor], memory)
  await product.stop()
}

/** Microseconds of the main thread for an answer. @param {Server} server @param {import('../loads.mjs').Requests} requests */
const costOf = (server, requests) => async () => {
  const before = mainThreadCpu(server.pid)
  const { count } = await send(server, requests, 1)
  return ((mainThreadCpu(server.pid) - before) * 1000) / count
}
