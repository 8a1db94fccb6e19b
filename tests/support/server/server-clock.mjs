// Loaded into the server's process before its own code. A request says by the header X-Clock-Ahead how many milliseconds
// the clock is ahead while it is answered, so that histories share a server and each has its own time. For all else, the
// variable CLOCK_AHEAD says it. The time that the process has run moves with it, as time that passes does; with CLOCK_JUMPS=1
// it does not, as when the clock is set.
import { AsyncLocalStorage } from 'node:async_hooks'
import { Server } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'

const RealDate = Date
const realNow = Date.now
const realPause = timers.setTimeout
/** @type {AsyncLocalStorage<number>} */
const ahead = new AsyncLocalStorage()
const aheadAlways = Number(process.env.CLOCK_AHEAD ?? 0)
let furthest = aheadAlways

Date.now = () => realNow() + (ahead.getStore() ?? aheadAlways)
globalThis.Date = new Proxy(RealDate, {
  construct: (target, words, newTarget) =>
    Reflect.construct(target, words.length === 0 ? [Date.now()] : words, newTarget),
  apply: () => new RealDate(Date.now()).toString(),
})

if (process.env.CLOCK_JUMPS !== '1') {
  const realUptime = process.uptime
  process.uptime = () => realUptime() + (ahead.getStore() ?? aheadAlways) / 1000
}

const { emit } = Server.prototype
/** @this {Server} @param {any[]} words */
Server.prototype.emit = function (...words) {
  const [event] = words
  const milliseconds = event === 'request' ? Number(words[1].headers['x-clock-ahead'] ?? aheadAlways) : aheadAlways
  furthest = Math.max(furthest, milliseconds)
  return ahead.run(milliseconds, () => Reflect.apply(emit, this, words))
}

// Where histories follow one another on one clock, what the server does every minute is done all the time.
if (process.env.CLOCK_IS_SHARED === '1') {
  /** @param {number} milliseconds @param {any[]} words */
  const pause = (milliseconds, ...words) => {
    if (milliseconds < 60_000) return realPause(milliseconds, ...words)
    // For what the caller does after its wait.
    ahead.enterWith(furthest)
    return realPause(20, ...words)
  }
  timers.setTimeout = /** @type {typeof timers.setTimeout} */ (pause)
  syncBuiltinESMExports()
}
