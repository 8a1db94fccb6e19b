import { buildBetterAuth, packages } from './better-auth-app.mjs'
import { visits } from './browser.mjs'
import { betterAuth, latchkey } from './contestants.mjs'
import { startConstant } from './floors.mjs'
import { interleaved } from './interleave.mjs'
import { processCpu, residentMemory, tellsCost } from './process-cost.mjs'
import { Report, short } from './report.mjs'
import { fillIn } from './scale-docs.mjs'
import { only, put } from './servers.mjs'

/** @typedef {import('./contestants.mjs').Contestant} Contestant */
/** @typedef {import('./servers.mjs').Server} Server */
/** @typedef {{ contestant: Contestant, server: Server }} Side */
/** @typedef {{ ours: number, theirs: number }} Pair */

/** As many as better-auth signs up in a minute: it has no import. */
const accounts = 500

/** Measures Latchkey and better-auth in turn, and publishes what is worse as plainly as what is better. */
export async function benchPeers() {
  const report = new Report('bench-peers')
  const contestants = [await latchkey(accounts), await betterAuth(await buildBetterAuth(), accounts)]
  const [ours, theirs] = /** @type {[Contestant, Contestant]} */ (contestants)
  await compareStart(report, ours, theirs)
  const sides = {
    ours: { contestant: ours, server: await ours.start() },
    theirs: { contestant: theirs, server: await theirs.start() },
  }
  if (tellsCost)
    compare(
      report,
      'resident memory, idle',
      each(sides, ({ server }) => residentMemory(server.pid)),
      ' MB',
      1,
    )
  await compareRates(report, sides)
  await comparePasskeys(report, sides)
  await compareStorm(report, sides)
  if (tellsCost) await compareMemory(report, sides)
  await comparePages(report, sides)
  for (const { server } of Object.values(sides)) await server.stop()
  fillIn('docs/benchmarks.md', 'peers', report.table())
  report.finish({ packages })
}

/**
 * @template T
 * @param {{ ours: Side, theirs: Side }} sides
 * @param {(side: Side) => T} measure
 */
const each = ({ ours, theirs }, measure) => ({ ours: measure(ours), theirs: measure(theirs) })

/**
 * @param {Report} report
 * @param {string} what
 * @param {Pair} pair
 * @param {string} unit of rates, more is better; of the others, less
 * @param {number} [goal]
 */
function compare(report, what, { ours, theirs }, unit, goal) {
  const better = unit === '/s' ? 'at least' : 'at most'
  const found = `${short(ours)}${unit}, ${short(theirs)}${unit}`
  report.add({ what, against: 'better-auth', ratio: ours / theirs, ...(goal && { goal }), better, found })
}

/** @param {Report} report @param {Contestant} ours @param {Contestant} theirs */
async function compareStart(report, ours, theirs) {
  const once =
    (/** @type {Contestant} */ { start }) =>
    async () => {
      const server = await start()
      await server.stop()
      return server.startMilliseconds
    }
  const pair = await interleaved({ ours: once(ours), theirs: once(theirs) }, 5)
  compare(report, 'start, up to the first 200', pair, ' ms', 1)
}

/** @param {Report} report @param {{ ours: Side, theirs: Side }} sides */
async function compareRates(report, sides) {
  const rate = (/** @type {'check' | 'options' | 'signIn'} */ kind, /** @type {number} */ connections) =>
    interleaved(
      each(sides, ({ contestant, server }) => async () => {
        const load = { ...contestant[kind], port: server.port, connections, seconds: 4 }
        return only(await put(load)).rate
      }),
    )
  compare(report, `session checks a second, ${accounts} sessions in turn`, await rate('check', 8), '/s', 30)
  compare(report, 'passkey options a second, each from another address', await rate('options', 8), '/s', 15)
  compare(report, 'password sign-ins a second (bcrypt at cost 10; scrypt)', await rate('signIn', 16), '/s')
  const signUps = await interleaved(
    each(sides, ({ contestant, server }) => async () => {
      const load = { ...contestant.signUp(), port: server.port, connections: 16, seconds: 4 }
      return only(await put(load), contestant.signedUp).rate
    }),
  )
  compare(report, 'sign-ups a second (bcrypt at cost 10; scrypt)', signUps, '/s')
}

/** @param {Report} report @param {{ ours: Side, theirs: Side }} sides */
async function comparePasskeys(report, sides) {
  const count = 400
  /** @type {{ ours: number[], theirs: number[] }} */
  const cpu = { ours: [], theirs: [] }
  const signIn = (/** @type {keyof typeof cpu} */ name) => async () => {
    const { contestant, server } = sides[name]
    const requests = await contestant.passkey(server.port, count)
    const before = tellsCost ? processCpu(server.pid) : 0
    const { rate } = only(await put({ ...requests, port: server.port, connections: 8, seconds: 60, once: true }))
    if (tellsCost) cpu[name].push((processCpu(server.pid) - before) / count)
    return rate
  }
  const rates = await interleaved({ ours: signIn('ours'), theirs: signIn('theirs') })
  compare(report, 'passkey sign-ins a second', rates, '/s')
  const last = { ours: cpu.ours.at(-1) ?? Number.NaN, theirs: cpu.theirs.at(-1) ?? Number.NaN }
  if (tellsCost) compare(report, "passkey sign-in, the server's CPU", last, ' ms', 0.2)
}

/** @param {Report} report @param {{ ours: Side, theirs: Side }} sides */
async function compareStorm(report, sides) {
  const p99 = (/** @type {boolean} */ busy) =>
    each(sides, ({ contestant, server: { port } }) => async () => {
      const probe = { ...contestant.check, port, connections: 1, seconds: 6, pauseMilliseconds: 3 }
      const storm = busy ? [put({ ...contestant.signIn, port, connections: 64, seconds: 6 })] : []
      const [probed, ...stormed] = await Promise.all([put(probe), ...storm])
      for (const result of stormed) only(result)
      return only(probed).p99
    })
  compare(report, 'p99 of a session check, idle', await interleaved(p99(false)), ' ms')
  compare(report, 'p99 of a session check beside 64 clients signing in', await interleaved(p99(true)), ' ms')
}

/** @param {Report} report @param {{ ours: Side, theirs: Side }} sides */
async function compareMemory(report, sides) {
  for (const {
    contestant,
    server: { port },
  } of Object.values(sides)) {
    const common = { port, connections: 16, seconds: 20 }
    const { check, options, signIn, wrong, page: path } = contestant
    const loads = [check, options, signIn, wrong].map((requests) => put({ ...requests, ...common }))
    await Promise.all([...loads, put({ ...common, path, method: 'GET', connections: 4 })])
  }
  const memory = each(sides, ({ server }) => residentMemory(server.pid))
  compare(report, 'resident memory after 20 seconds of the same mixed load', memory, ' MB', 1)
}

/** @param {Report} report @param {{ ours: Side, theirs: Side }} sides */
async function comparePages(report, sides) {
  const constant = await startConstant()
  const page = (/** @type {Side} */ { contestant, server }) => ({
    url: `http://localhost:${server.port}${contestant.page}`,
    selector: 'main button',
  })
  const empty = { url: `http://localhost:${constant.port}/page`, selector: 'main' }
  const seen = await visits({ ...each(sides, page), empty })
  await constant.stop()
  const script = (/** @type {'ours' | 'theirs'} */ name) => (seen[name].script - seen.empty.script) / 1000
  compare(
    report,
    'sign-in page, script above an empty page, gzip',
    { ours: script('ours'), theirs: script('theirs') },
    ' kB',
  )
  const usable = { ours: seen.ours.usable, theirs: seen.theirs.usable }
  compare(report, 'sign-in page, usable at 4 times CPU throttle', usable, ' ms')
}
