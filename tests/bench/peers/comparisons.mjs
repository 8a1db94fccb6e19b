// What is compared of Latchkey and its peers. The goals are those of the budgets.
import { emptyPage, otherSite, visits } from '../browser.mjs'
import { startConstant } from '../floors.mjs'
import { inTurns, interleaved, mapValues, median } from '../interleave.mjs'
import { rateOf, send, sendPasskeys, warmUp } from '../loads.mjs'
import { processCpu, residentMemory, tellsCost } from '../process-cost.mjs'

/** @typedef {import('../report.mjs').Report} Report */
/** @typedef {import('./latchkey.mjs').Contestant} Contestant */
/** @typedef {Contestant & { server: import('../servers.mjs').Server }} Side */
/** @typedef {Record<string, Side>} Sides Latchkey is `ours` */
/** @typedef {import('../report.mjs').Goal & { of: string }} Goal */

const perSecond = /** @type {const} */ ({ of: '/s', better: 'at least' })
const milliseconds = /** @type {const} */ ({ of: ' ms', better: 'at most' })
const megabytes = /** @type {const} */ ({ of: ' MB', better: 'at most', goal: 1 })

/** A row for each that is not Latchkey. @param {Report} report @param {string} what @param {Record<string, Contestant>} sides @param {Record<string, number>} found @param {Goal} goal */
function compare(report, what, sides, found, goal) {
  const { ours = Number.NaN, ...others } = found
  for (const [name, value] of Object.entries(others)) {
    report.compare(what, sides[name]?.name ?? name, [ours, value], goal)
  }
}

/** @param {Report} report @param {Record<string, Contestant>} sides */
export async function compareStart(report, sides) {
  const once = mapValues(sides, ({ start }) => async () => {
    const server = await start()
    await server.stop()
    return server.startMilliseconds
  })
  compare(report, 'start, up to the first 200', sides, await interleaved(once, 5), { ...milliseconds, goal: 1 })
}

/** @param {Report} report @param {Sides} sides */
export async function compareRates(report, sides) {
  /** @type {[what: string, kind: 'checkOne' | 'check' | 'options' | 'optionsEach', goal: number][]} */
  const rows = [
    ['session checks a second, one session', 'checkOne', 30],
    ['session checks a second, 10,000 sessions of different accounts in turn', 'check', 30],
    ['passkey options a second, one client', 'options', 15],
    ['passkey options a second, each from another address and account', 'optionsEach', 15],
  ]
  for (const { server, kinds } of Object.values(sides)) {
    await warmUp(server, kinds.check)
    await warmUp(server, kinds.optionsEach)
  }
  for (const [what, kind, goal] of rows) {
    const found = await inTurns(
      mapValues(sides, ({ server, kinds }) => costOf(server, () => send(server, kinds[kind]))),
    )
    compare(report, what, sides, medians(found, 'rate'), { ...perSecond, goal })
    if (tellsCost && kind === 'check') {
      compare(report, "session check, the server's CPU", sides, medians(found, 'cpu'), milliseconds)
    }
  }
}

/**
 * Measures answers a second, and the CPU time of each, which the load generator and others on the machine take less from.
 *
 * @param {import('../servers.mjs').Server} server
 * @param {() => Promise<import('../load.mjs').Result>} load
 */
const costOf = (server, load) => async () => {
  const before = tellsCost ? processCpu(server.pid) : Number.NaN
  const { rate, count } = await load()
  return { rate, cpu: (tellsCost ? processCpu(server.pid) - before : Number.NaN) / count }
}

/** @param {Record<string, { rate: number, cpu: number }[]>} found @param {'rate' | 'cpu'} figure */
const medians = (found, figure) => mapValues(found, (all) => median(all.map((one) => one[figure])))

/** @param {Report} report @param {Sides} sides */
export async function comparePasskeys(report, sides) {
  const found = await inTurns(
    mapValues(sides, ({ server, kinds }) => async () => {
      const sendAll = await sendPasskeys(server, kinds, 400)
      return costOf(server, sendAll)()
    }),
  )
  compare(report, 'passkey sign-ins a second', sides, medians(found, 'rate'), perSecond)
  const goal = { ...milliseconds, goal: 0.2 }
  if (tellsCost) compare(report, "passkey sign-in, the server's CPU", sides, medians(found, 'cpu'), goal)
}

/** @param {Sides} sides */
const memoryOf = (sides) => mapValues(sides, ({ server }) => residentMemory(server.pid))

/** @param {Report} report @param {Sides} sides */
export const compareIdle = (report, sides) =>
  compare(report, 'resident memory, idle', sides, memoryOf(sides), megabytes)

/** @param {Report} report @param {Sides} sides */
export async function compareMemory(report, sides) {
  for (const { kinds, server } of Object.values(sides)) {
    const { check, options, signIn, wrong } = kinds
    const page = { path: '/signin', method: 'GET', connections: 4 }
    await Promise.all([check, options, signIn, wrong, page].map((requests) => send(server, requests, 20)))
  }
  compare(report, 'resident memory after 20 seconds of the same mixed load', sides, memoryOf(sides), megabytes)
}

/** @param {Report} report @param {Sides} sides */
export async function comparePages(report, sides) {
  const constant = await startConstant()
  const pages = mapValues(sides, ({ server }) => ({
    url: `http://localhost:${server.port}/signin`,
    selector: 'main button',
  }))
  /** @type {Record<string, import('../browser.mjs').Visit>} */
  const { empty, ...seen } = await visits({ ...pages, empty: emptyPage(constant) }, otherSite(constant))
  await constant.stop()
  const above = mapValues(seen, ({ script }) => script - (empty?.script ?? Number.NaN))
  const better = /** @type {const} */ ('at most')
  compare(report, 'sign-in page, script above an empty page, gzip', sides, above, { of: ' kB', better })
  const usable = mapValues(seen, (visit) => visit.usable)
  compare(report, 'sign-in page, usable at 4 times CPU throttle', sides, usable, milliseconds)
}

/** better-auth hashes with scrypt as it ships, and with bcrypt where it is told to. @param {Report} report @param {Sides} sides */
export async function comparePasswords(report, sides) {
  for (const [what, kind] of /** @type {const} */ ([
    ['password sign-ins a second', 'signIn'],
    ['sign-ups a second', 'signUp'],
  ])) {
    const measurements = mapValues(sides, ({ server, kinds }) => rateOf(server, kinds[kind], 4))
    compare(report, what, sides, await interleaved(measurements), perSecond)
  }
  const p99 = (/** @type {boolean} */ busy) =>
    mapValues(sides, ({ server, kinds }) => async () => {
      const probe = send(server, { ...kinds.check, connections: 1, pauseMilliseconds: 3 }, 5)
      const storm = busy ? [send(server, { ...kinds.signIn, connections: 64 }, 5)] : []
      const [probed] = await Promise.all([probe, ...storm])
      return probed.p99
    })
  compare(report, 'p99 of a session check, idle', sides, await interleaved(p99(false)), milliseconds)
  compare(
    report,
    'p99 of a session check beside 64 clients signing in',
    sides,
    await interleaved(p99(true)),
    milliseconds,
  )
}
