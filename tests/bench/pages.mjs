import { populate, sessionTokens } from './accounts.mjs'
import { interleaved } from './interleave.mjs'
import { mixedLoad } from './loads.mjs'
import { residentMemory, tellsCost } from './process-cost.mjs'
import { short } from './report.mjs'
import { only, put, startProduct } from './servers.mjs'

/** @typedef {import('./report.mjs').Report} Report */
/** @typedef {import('./servers.mjs').Server} Server */

/** Renders a second of the pages. @param {Report} report @param {Server} constant */
export async function benchPages(report, constant) {
  const product = await startProduct(10)
  await populate(product, 100)
  const [token] = await sessionTokens(product, [17])
  const signedIn = { Cookie: `session=${token}` }
  const render =
    (/** @type {number} */ port, /** @type {string} */ path, headers = {}) =>
    async () =>
      only(
        await put({
          port,
          path,
          method: 'GET',
          headers: { Accept: 'text/html', ...headers },
          connections: 4,
          seconds: 5,
        }),
      ).rate
  const rates = await interleaved({
    page: render(constant.port, '/page'),
    '/signin': render(product.port, '/signin'),
    '/profile': render(product.port, '/profile', signedIn),
  })
  for (const [path, goal] of /** @type {const} */ ([
    ['/signin', 0.8],
    ['/profile', 0.6],
  ])) {
    report.add({
      what: `${path}, renders a second`,
      against: 'a constant dynamic page of the same Next',
      ratio: rates[path] / rates.page,
      goal,
      better: 'at least',
      found: `${short(rates[path])}/s, ${short(rates.page)}/s`,
    })
  }
  await product.stop()
}

/**
 * From the entry to the first 200 of /api/health, and memory idle and after a mixed load.
 *
 * @param {Report} report
 * @param {Server} constant
 */
export async function benchStart(report, constant) {
  const settings = { DATABASE_URL: (await prepared(100)).databaseUrl }
  const startOnce = async () => {
    const product = await startProduct(10, settings)
    await product.stop()
    return product.startMilliseconds
  }
  const { start } = await interleaved({ start: startOnce }, 5)
  report.add({
    what: 'start, up to the first 200 of /api/health',
    against: 'a constant application of Next',
    ratio: start / constant.startMilliseconds,
    better: 'at most',
    found: `${short(start)} ms, ${short(constant.startMilliseconds)} ms`,
  })
  if (tellsCost) await benchMemory(report, constant)
}

/** An embedded database with copies of an account, and its secret. @param {number} accounts */
async function prepared(accounts) {
  const product = await startProduct(10)
  await populate(product, accounts)
  await product.stop()
  return product
}

/** @param {Report} report @param {Server} constant */
async function benchMemory(report, constant) {
  const product = await startProduct(10)
  await populate(product, 1_000)
  const base = residentMemory(constant.pid)
  const row = (/** @type {string} */ what) => {
    const found = residentMemory(product.pid)
    const against = 'a constant application of Next after its load'
    report.add({
      what,
      against,
      ratio: found / base,
      better: 'at most',
      found: `${short(found)} MB, ${short(base)} MB`,
    })
  }
  row('resident memory, idle')
  await mixedLoad(product, 1_000, 20)
  row('resident memory after 20 seconds of mixed load')
  await product.stop()
}
