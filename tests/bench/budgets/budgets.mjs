import { benchBrowser } from '../browser.mjs'
import { fillIn } from '../documents.mjs'
import { startBare, startConstant } from '../floors.mjs'
import { tellsCost } from '../process-cost.mjs'
import { Report } from '../report.mjs'
import { benchApi } from './api.mjs'
import { benchDeliveries } from './deliveries.mjs'
import { benchKit } from './kit.mjs'
import { benchPages } from './pages.mjs'
import { benchFailures, benchFlood, benchHashing, benchStorm } from './passwords.mjs'

export async function bench() {
  const report = new Report('bench')
  if (!tellsCost) console.log('Not measured: CPU time, which this system does not tell.')
  const [constant, bare] = [await startConstant(), await startBare()]
  await benchApi(report, { constant, bare })
  await benchKit(report)
  await benchPages(report, constant)
  report.progress('pages')
  await benchBrowser(report, constant)
  for (const server of [constant, bare]) await server.stop()
  report.progress('browser')
  for (const cost of [10, 12]) await benchHashing(report, cost)
  report.progress('hashing')
  await benchStorm(report)
  await benchFlood(report)
  await benchFailures(report)
  await benchDeliveries(report)
  fillIn('docs/evidence/benchmarks.md', 'budgets', report.table())
  report.finish()
}
