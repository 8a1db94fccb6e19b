import { populate, sessionTokens } from '../accounts.mjs'
import { interleaved } from '../interleave.mjs'
import { only, put, startProduct } from '../servers.mjs'

/** @type {[path: string, goal: number][]} */
const goals = [
  ['/signin', 0.8],
  ['/profile', 0.6],
]

/** Renders a second of the pages. @param {import('../report.mjs').Report} report @param {import('../servers.mjs').Server} constant */
export async function benchPages(report, constant) {
  const product = await startProduct(10)
  await populate(product, 100)
  const [token] = await sessionTokens(product, [17])
  const common = { method: 'GET', connections: 4, seconds: 4 }
  const render = (/** @type {number} */ port, /** @type {string} */ path, more = {}) => {
    const headers = { Accept: 'text/html', ...more }
    return async () => only(await put({ ...common, port, path, headers })).rate
  }
  /** @type {Record<string, number>} */
  const rates = await interleaved({
    page: render(constant.port, '/page'),
    '/signin': render(product.port, '/signin'),
    '/profile': render(product.port, '/profile', { Cookie: `session=${token}` }),
  })
  const { page = Number.NaN } = rates
  for (const [path, goal] of goals) {
    const figures = /** @type {[number, number]} */ ([rates[path], page])
    const against = 'a constant dynamic page of the same Next'
    report.compare(`${path}, renders a second`, against, figures, { of: '/s', better: 'at least', goal })
  }
  await product.stop()
}
