import { populate, sessionTokens } from '../accounts.mjs'
import { interleaved, mapValues } from '../interleave.mjs'
import { rateOf, warmUp } from '../loads.mjs'
import { startProduct } from '../servers.mjs'

/** @type {[path: string, goal: number][]} */
const goals = [
  ['/signin', 0.8],
  ['/profile', 0.6],
]

/** A page is rendered by so much code that it is hot after fewer. */
const warmUps = 2_000

/**
 * Renders a second of the pages.
 *
 * @param {import('../report.mjs').Report} report
 * @param {import('../servers.mjs').Server} constant
 */
export async function benchPages(report, constant) {
  const product = await startProduct(10)
  await populate(product, 100)
  const [token] = await sessionTokens(product, [17])
  const get = (/** @type {string} */ path, more = {}) => {
    return { path, method: 'GET', connections: 4, headers: { Accept: 'text/html', ...more } }
  }
  const pages = {
    page: { server: constant, requests: get('/page') },
    '/signin': { server: product, requests: get('/signin') },
    '/profile': { server: product, requests: get('/profile', { Cookie: `latchkey-session=${token}` }) },
  }
  for (const { server, requests } of Object.values(pages)) await warmUp(server, requests, warmUps)
  /** @type {Record<string, number>} */
  const rates = await interleaved(mapValues(pages, ({ server, requests }) => rateOf(server, requests, 4)))
  const { page = Number.NaN } = rates
  for (const [path, goal] of goals) {
    const figures = /** @type {[number, number]} */ ([rates[path], page])
    const against = 'a constant dynamic page of the same Next'
    report.compare(`${path}, renders a second`, against, figures, { of: '/s', better: 'at least', goal })
  }
  await product.stop()
}
