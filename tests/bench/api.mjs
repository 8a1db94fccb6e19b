import { populate } from './accounts.mjs'
import { interleaved } from './interleave.mjs'
import { passkeySignIns, rateOf, requestsOf } from './loads.mjs'
import { mainThreadCpu, tellsCost } from './process-cost.mjs'
import { short } from './report.mjs'
import { only, put, startProduct } from './servers.mjs'

/** @typedef {import('./servers.mjs').Server} Server */

const accounts = 10_000

/** The endpoints' rates and CPU. @param {import('./report.mjs').Report} report @param {{ constant: Server, bare: Server }} floors */
export async function benchApi(report, { constant, bare }) {
  const product = await startProduct(10)
  const population = await populate(product, accounts)
  const { checkOne, check, options, signIn, signUp } = await requestsOf(product, accounts)
  const floor = async () => only(await put({ port: constant.port, path: '/c', connections: 8, seconds: 3 }))
  const rates = await interleaved({
    floor: rateOf(floor),
    checkOne: rateOf(checkOne),
    check: rateOf(check),
    options: rateOf(options),
  })
  const writes = await interleaved({ signIn: rateOf(signIn), signUp: rateOf(signUp) })
  const row = (/** @type {string} */ what, /** @type {number} */ rate, /** @type {number} */ goal) =>
    report.add({
      what,
      against: 'a constant route of Next',
      ratio: rate / rates.floor,
      ...(goal > 0 && { goal }),
      better: 'at least',
      found: `${short(rate)}/s, ${short(rates.floor)}/s`,
    })
  row('session checks a second, one token', rates.checkOne, 9)
  row('session checks a second, 10,000 tokens in turn', rates.check, 9)
  row('passkey options a second, each from another address and account', rates.options, 0)
  report.add({
    what: 'sign-ups a second',
    against: 'sign-ins',
    ratio: writes.signUp / writes.signIn,
    goal: 0.9,
    better: 'at least',
    found: `${short(writes.signUp)}/s, ${short(writes.signIn)}/s`,
  })
  if (tellsCost) await benchCpu(report, product, population, bare)
  await product.stop()
}

/**
 * @param {import('./report.mjs').Report} report
 * @param {import('./servers.mjs').Product} product
 * @param {import('./loads.mjs').Population} population
 * @param {Server} bare
 */
async function benchCpu(report, product, population, bare) {
  const { checkOne, check } = await requestsOf(product, accounts)
  const asked = { port: bare.port, path: '/', connections: 8, seconds: 3 }
  const cpu = await interleaved({
    bare: perAnswer(bare, async () => only(await put(asked))),
    checkOne: perAnswer(product, checkOne),
    check: perAnswer(product, check),
  })
  const row = (/** @type {string} */ what, /** @type {number} */ found) =>
    report.add({
      what: `main-thread CPU of a session check, ${what}`,
      against: 'a bare node:http server',
      ratio: found / cpu.bare,
      goal: 7,
      better: 'at most',
      found: `${short(found * 1000)} us, ${short(cpu.bare * 1000)} us`,
    })
  row('one token', cpu.checkOne)
  row('10,000 tokens in turn', cpu.check)
  await passkeySignIns(product, population, accounts)
  const passkey = await interleaved({ cpu: async () => (await passkeySignIns(product, population, accounts)).cpu })
  report.add({
    what: "passkey sign-in, the server's CPU",
    against: 'a session check',
    ratio: passkey.cpu / cpu.check,
    better: 'at most',
    found: `${short(passkey.cpu)} ms, all threads`,
  })
}

/** Milliseconds of the main thread for each answer. @param {Server} server @param {() => Promise<import('./load.mjs').Result>} request */
const perAnswer =
  ({ pid }, request) =>
  async () => {
    const before = mainThreadCpu(pid)
    const { count } = await request()
    return (mainThreadCpu(pid) - before) / count
  }
