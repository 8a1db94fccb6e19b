import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { hashSync } from 'bcryptjs'
import { Piscina } from 'piscina'
import { password } from '../accounts.mjs'

const filename = fileURLToPath(new URL('../../../build/hash-worker.mjs', import.meta.url))
const threads = availableParallelism()

/**
 * Password checks per second of the product's hash worker, one thread per core, on an idle machine.
 *
 * @param {number} cost
 * @param {number} seconds
 */
export async function poolRate(cost, seconds) {
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
