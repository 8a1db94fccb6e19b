import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { hashSync } from 'bcryptjs'
import { Piscina } from 'piscina'
import { password, signUp } from '../accounts.mjs'
import { interleaved } from '../interleave.mjs'
import { only, put, startProduct } from '../servers.mjs'

const filename = fileURLToPath(new URL('../../../build/hash-worker.mjs', import.meta.url))
const threads = availableParallelism()
const cost = 12
const seconds = 4

/** Interleaves password sign-ins and plain hashing. @param {import('../report.mjs').Report} report */
export async function benchHashing(report) {
  const product = await startProduct(cost)
  const names = Array.from({ length: 16 }, (_, index) => `person-${index}`)
  for (const username of names) await signUp(product.port, username)
  const bodies = names.map((username) => JSON.stringify({ username, password }))
  const signIns = { port: product.port, path: '/api/signin', bodies, connections: 16, addresses: 1_000, seconds }
  const { signIn, pool } = await interleaved({
    pool: poolRate,
    signIn: async () => only(await put(signIns)).rate,
  })
  const goal = /** @type {const} */ ({ of: '/s', better: 'at least', goal: 0.95 })
  report.compare(`password sign-ins a second, cost ${cost}`, 'what the pool hashes alone', [signIn, pool], goal)
  await product.stop()
}

/** Password checks per second of the product's hash worker, one thread per core, on an idle machine. */
async function poolRate() {
  const pool = new Piscina({ filename, minThreads: threads, maxThreads: threads })
  const task = { inputs: [password], hash: hashSync(password, cost), cost }
  await Promise.all(Array.from({ length: threads }, () => pool.run(task)))
  const start = performance.now()
  let done = 0
  const thread = async () => {
    for (; performance.now() - start < seconds * 1000; done++) await pool.run(task)
  }
  await Promise.all(Array.from({ length: threads }, thread))
  const rate = (done * 1000) / (performance.now() - start)
  await pool.close()
  return rate
}
