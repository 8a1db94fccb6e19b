import { benchApi } from './api.mjs'
import { benchBrowser } from './browser.mjs'
import { startBare, startConstant } from './floors.mjs'
import { benchPages, benchStart } from './pages.mjs'
import { benchFailures, benchFlood, benchHashing, benchStorm } from './passwords.mjs'
import { tellsCost } from './process-cost.mjs'
import { Report } from './report.mjs'

export async function benchBudgets() {
  const report = new Report('bench')
  if (!tellsCost) console.log('Not measured: CPU time and memory, which this system does not tell.')
  const [constant, bare] = [await startConstant(), await startBare()]
  await benchApi(report, { constant, bare })
  await benchPages(report, constant)
  await benchBrowser(report, constant)
  await benchStart(report, constant)
  for (const server of [constant, bare]) await server.stop()
  for (const cost of [10, 12]) await benchHashing(report, cost)
  await benchStorm(report)
  await benchFlood(report)
  await benchFailures(report)
  report.finish()
}
