import { copyTemplate, createTemplate } from '../accounts.mjs'
import { requestsOf } from '../loads.mjs'
import { startProduct } from '../servers.mjs'
import { freePort } from '../support.mjs'

/**
 * @typedef {object} Contestant
 * @property {string} name
 * @property {() => Promise<import('../servers.mjs').Server>} start it on its data, each time on the same port
 * @property {import('../loads.mjs').Kinds} kinds
 */

/** @param {number} accounts @returns {Promise<Contestant>} */
export async function latchkey(accounts) {
  // The same after each start, since passkeys belong to its origin.
  const PORT = String(await freePort())
  const product = await startProduct(10, { PORT })
  const population = await createTemplate(product)
  await product.stop()
  await copyTemplate(product.databaseUrl, accounts)
  const { databaseUrl: DATABASE_URL, secret: JWT_SECRET } = product
  return {
    name: 'Latchkey',
    start: () => startProduct(10, { DATABASE_URL, JWT_SECRET, PORT }),
    kinds: await requestsOf(product, population, accounts),
  }
}
