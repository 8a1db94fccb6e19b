// Measures the built product against its budgets on this machine, and exits with 1 if one is missed. Absolute figures vary
// between runs; ratios within one run do not.
import { availableParallelism } from 'node:os'
import '../../scripts/broken-pipe.mjs'
import { failures, flood, rates, signInRates, storm } from './measures.mjs'
import { startConstant, startProduct } from './servers.mjs'

const round = (/** @type {number} */ value, digits = 0) => value.toFixed(digits)

/** @param {string} what @param {string} found @param {boolean} kept @param {string} budget */
function judge(what, found, kept, budget) {
  console.log(`${kept ? 'kept  ' : 'MISSED'} ${what}: ${found} (budget: ${budget})`)
  if (!kept) process.exitCode = 1
}

async function benchRates() {
  const [product, constant] = [await startProduct(10), await startConstant()]
  const { check, options, constant: base } = await rates(product, constant.port)
  await constant.stop()
  const found = `${round(check)}/s, a constant route under next start ${round(base)}/s, ratio ${round(check / base, 2)}`
  judge('session checks', found, check >= 2 * base, 'at least 2')
  console.log(`       passkey options: ${round(options)}/s, ratio ${round(options / base, 2)}`)
  await product.stop()
}

/** @param {number} cost */
async function benchSignIns(cost) {
  const product = await startProduct(cost)
  const { signIn, pool } = await signInRates(product, cost)
  const found = `${round(signIn, 1)}/s, the pool alone ${round(pool, 1)}/s, ratio ${round(signIn / pool, 2)}`
  judge(`password sign-ins, cost ${cost}`, found, signIn >= 0.95 * pool, 'at least 0.95')
  await product.stop()
}

async function benchWaits() {
  const product = await startProduct(12)
  const { idle, busy } = await storm(product)
  const both = (/** @type {{ p50: number, p99: number }} */ { p50, p99 }) => `${round(p50, 2)}/${round(p99, 2)} ms`
  const found = `p50/p99 ${both(idle)} idle, ${both(busy)} beside 16 clients signing in, ratio ${round(busy.p99 / idle.p99, 1)}`
  judge('a session check waits', found, busy.p99 < 60 && busy.p99 <= 3 * idle.p99, 'p99 under 60 ms and 3 times idle')
  await product.stop()
}

async function benchFlood() {
  const product = await startProduct(10, {})
  const { idle, busy, slowest } = await flood(product)
  const what = 'while one address sends wrong passwords over 200 connections'
  judge(`a stranger's right password, cost 10, ${what}`, `${round(slowest)} ms`, slowest < 2_000, 'under 2 s')
  const found = `p99 ${round(busy.p99, 2)} ms, idle ${round(idle.p99, 2)} ms, ratio ${round(busy.p99 / idle.p99, 1)}`
  judge(`a session check, ${what}`, found, busy.p99 <= 3 * idle.p99, '3 times idle')
  await product.stop()
}

async function benchFailures() {
  const product = await startProduct(10)
  const medians = await failures(product)
  const spread = Math.max(...Object.values(medians)) / Math.min(...Object.values(medians)) - 1
  const found = Object.entries(medians).map(([name, median]) => `${name} ${round(median, 1)} ms`)
  const line = `${found.join(', ')}, spread ${round(spread * 100, 1)} %`
  judge('a failed sign-in takes', line, spread <= 0.15, 'within 15 %')
  await product.stop()
}

console.log(
  `Node ${process.version}, ${availableParallelism()} cores. better-auth is not installed here and not compared.`,
)
await benchRates()
for (const cost of [10, 12]) await benchSignIns(cost)
await benchWaits()
await benchFlood()
await benchFailures()
