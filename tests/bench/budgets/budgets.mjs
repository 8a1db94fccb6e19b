import { benchBrowser } from '../browser.mjs'
import { startBare, startConstant } from '../floors.mjs'
import { interleaved } from '../interleave.mjs'
import { browser } from '../options.mjs'
import { tellsCost } from '../process-cost.mjs'
import { Report } from '../report.mjs'
import { startProduct } from '../servers.mjs'
import { benchApi } from './api.mjs'
import { benchHashing } from './hashing.mjs'

export async function bench() {
  const report = new Report('bench')
  const bare = await startBare()
  if (tellsCost) await benchApi(report, bare)
  else console.log('Not measured: CPU time and memory, which this system does not tell.')
  await bare.stop()
  await benchStart(report)
  await benchHashing(report)
  if (browser) {
    const constant = await startConstant()
    await benchBrowser(report, constant)
    await constant.stop()
  }
  report.finish('budgets')
}

/** How soon a new database has its first answer. @param {Report} report */
async function benchStart(report) {
  const { product, bare } = await interleaved({
    product: async () => startedIn(await startProduct(10)),
    bare: async () => startedIn(await startBare()),
  })
  report.compare('start until the API answers', 'a bare node:http server', [product, bare], {
    of: ' ms',
    better: 'at most',
  })
}

/** @param {import('../servers.mjs').Server} server */
async function startedIn({ startMilliseconds, stop }) {
  await stop()
  return startMilliseconds
}
