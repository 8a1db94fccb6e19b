import { populate } from '../accounts.mjs'
import { inTurns, interleaved, mapValues, median } from '../interleave.mjs'
import { rateOf, requestsOf, send, warmUp } from '../loads.mjs'
import { mainThreadCpu, tellsCost } from '../process-cost.mjs'
import { startProduct } from '../servers.mjs'

/** @typedef {import('../servers.mjs').Server} Server */
/** @typedef {import('../report.mjs').Report} Report */

const accounts = 10_000

/** The endpoints' rates and CPU. @param {Report} report @param {{ constant: Server, bare: Server }} floors */
export async function benchApi(report, { constant, bare }) {
  const product = await startProduct(10)
  const kinds = await requestsOf(product, await populate(product, accounts), accounts)
  const constantRoute = { path: '/c', method: 'GET' }
  await warmUp(constant, constantRoute)
  await warmUp(bare, { path: '/' })
  await warmUp(product, kinds.check)
  await warmUp(product, kinds.optionsEach)
  const found = await inTurns({
    constant: costOf(constant, constantRoute),
    bare: costOf(bare, { path: '/' }),
    checkOne: costOf(product, kinds.checkOne),
    check: costOf(product, kinds.check),
    options: costOf(product, kinds.optionsEach),
  })
  const rates = mapValues(found, (all) => median(all.map(({ rate }) => rate)))
  const addRate = (/** @type {string} */ what, /** @type {number} */ rate, goal = {}) =>
    report.compare(what, 'a constant GET route of Next', [rate, rates.constant], {
      of: '/s',
      better: 'at least',
      ...goal,
    })
  addRate('session checks a second, one token', rates.checkOne, { goal: 9 })
  addRate('session checks a second, 10,000 tokens of different accounts in turn', rates.check, { goal: 9 })
  addRate('passkey options a second, each from another address and account', rates.options)
  if (tellsCost) {
    const cpu = mapValues(found, (all) => median(all.map(({ microseconds }) => microseconds)))
    addCpu(report, 'one token', [cpu.checkOne, cpu.bare])
    addCpu(report, '10,000 tokens in turn', [cpu.check, cpu.bare])
  }
  const { signIn, signUp } = await interleaved({
    signIn: rateOf(product, kinds.signIn, 4),
    signUp: rateOf(product, kinds.signUp, 4),
  })
  const goal = /** @type {const} */ ({ of: '/s', better: 'at least', goal: 0.9 })
  report.compare('sign-ups a second', 'password sign-ins', [signUp, signIn], goal)
  await product.stop()
}

/** Measures answers a second and the main thread's CPU for each. @param {Server} server @param {import('../loads.mjs').Requests} requests */
const costOf = (server, requests) => async () => {
  const before = tellsCost ? mainThreadCpu(server.pid) : Number.NaN
  const { rate, count } = await send(server, requests)
  const used = (tellsCost ? mainThreadCpu(server.pid) : Number.NaN) - before
  return { rate, microseconds: (used * 1000) / count }
}

/** @param {Report} report @param {string} what @param {[number, number]} figures */
function addCpu(report, what, figures) {
  const goal = /** @type {const} */ ({ of: ' us', better: 'at most', goal: 7 })
  report.compare(`main-thread CPU of a session check, ${what}`, 'a bare node:http server', figures, goal)
}
