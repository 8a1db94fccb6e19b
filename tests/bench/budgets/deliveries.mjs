import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { password, signUp } from '../accounts.mjs'
import { interleaved } from '../interleave.mjs'
import { short } from '../report.mjs'
import { only, put, start, startProduct } from '../servers.mjs'
import { openSql } from '../sql.mjs'
import { freePort, root } from '../support.mjs'

const waiting = 10_000
const receiver = fileURLToPath(new URL('receiver.mjs', import.meta.url))

/**
 * How long sign-ins take while the server sends 10,000 webhooks that have waited.
 *
 * @param {import('../report.mjs').Report} report
 */
export async function benchDeliveries(report) {
  const port = await freePort()
  const settings = { PORT: String(port) }
  const receiving = await start({ cwd: root, words: [receiver], path: '/', port, settings })
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const url = `http://127.0.0.1:${port}/`
  const product = await startProduct(10, { WEBHOOK_URL: url, WEBHOOK_SECRET: secret })
  const names = Array.from({ length: 16 }, (_, index) => `person-${index}`)
  for (const username of names) await signUp(product.port, username)
  const bodies = names.map((username) => JSON.stringify({ username, password }))
  const sql = await openSql(product.databaseUrl)
  const left = async () => Number((await sql.rows('SELECT COUNT(*) AS "left" FROM "Delivery"'))[0]?.left)
  // As people do, and not as many at once as the cores can hash.
  const signIns = { port: product.port, path: '/api/signin', bodies, addresses: 1_000, connections: 1, seconds: 8 }
  const load = { ...signIns, pauseMilliseconds: 20 }
  /** @type {number[]} */
  const rates = []
  const { idle, busy } = await interleaved({
    idle: async () => only(await put(load)).p99,
    busy: async () => {
      await fill(sql, url)
      const begun = performance.now()
      const { p99 } = only(await put(load))
      const sent = waiting - (await left())
      rates.push((sent * 1000) / (performance.now() - begun))
      await sql.run('DELETE FROM "Delivery"')
      return p99
    },
  })
  report.progress(`deliveries: ${rates.map(short).join(', ')} a second`)
  const what = `p99 of a sign-in while ${waiting} webhooks that waited are sent, cost 10`
  report.compare(what, 'idle', [busy, idle], { of: ' ms', better: 'at most', goal: 1.25 })
  await sql.close()
  await product.stop()
  await receiving.stop()
}

/** @param {import('../sql.mjs').Sql} sql @param {string} url */
async function fill(sql, url) {
  const now = Date.now()
  const rows = Array.from({ length: waiting }, () => {
    const id = randomBytes(16).toString('hex')
    const payload = JSON.stringify({ id, username: `somebody-${id}` })
    return `('${id}', 'account.renamed', '${url}', '${id}', '${payload}', ${now}, ${now}, ${now + 86_400_000})`
  })
  const columns = '"id", "type", "receiver", "account", "payload", "createdAt", "dueAt", "expiresAt"'
  await sql.run(`INSERT INTO "Delivery" (${columns}) VALUES ${rows.join(', ')}`)
}
