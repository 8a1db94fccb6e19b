import { pbkdf2Sync, scryptSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import os from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { compareSync, getRounds, hashSync } from 'bcryptjs'
import { isImported, matchesImported, scryptOptions, type Work, workOf } from './imported-hash'

// Lowers the priority of this thread, so that hashing does not delay the main one. Elsewhere than on Linux it would lower both, and
// so it would in the main thread, where tests import this.
if (process.platform === 'linux' && !isMainThread) os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)

export interface HashTask {
  /** The forms of a password, of which only an imported hash can have more than one */
  inputs: string[]
  hash: string | null
  cost: number
}

/** Tells whether the password matches the hash. Without a hash, returns a new one, which takes as long as a failure. */
export default function verifyOrHash({ inputs, hash, cost }: HashTask): boolean | string {
  const [password = ''] = inputs
  if (hash === null) return recordFastest('bcrypt', 2 ** cost, () => hashSync(password, cost))
  const { matches, rounds } = isImported(hash) ? verifyImported(inputs, hash) : verifyOurs(password, hash)
  if (!matches) makeUp(2 ** cost - rounds)
  return matches
}

interface Comparison {
  matches: boolean
  /** The work of a failure, in rounds of bcrypt: cost 10 has 1024 */
  rounds: number
}

function verifyOurs(password: string, hash: string): Comparison {
  const rounds = 2 ** getRounds(hash)
  return { matches: recordFastest('bcrypt', rounds, () => compareSync(password, hash)), rounds }
}

export function verifyImported(inputs: string[], marked: string): Comparison {
  const work = workOf(marked)
  for (const input of inputs)
    if (recordFastest(work.kind, work.units, () => matchesImported(input, marked))) return { matches: true, rounds: 0 }
  return { matches: false, rounds: inputs.length * measuredRounds(work) }
}

const leastCost = 4

/** Adds the missing rounds to a failure, so that each takes the work of one hash: work is counted, as time depends on load. */
function makeUp(rounds: number): void {
  for (let cost = leastCost; 2 ** cost <= rounds; cost++)
    if (Math.floor(rounds / 2 ** cost) % 2) recordFastest('bcrypt', 2 ** cost, () => hashSync('', cost))
}

/**
 * Converts work to rounds of bcrypt, as this thread has measured it: how a unit of one kind compares with one of another depends
 * on the processor, and a fixed ratio would let the time of a failure tell whose hash was imported.
 */
const measuredRounds = ({ kind, units }: Work) =>
  kind === 'bcrypt' ? units : (units * fastestUnit(kind)) / fastestUnit('bcrypt')

/** The fewest milliseconds that a unit has taken in this thread. */
const fastest = new Map<Work['kind'], number>()

/** Work that takes long enough to measure: Linux may count processor time in ticks of 4 ms. */
const trials: Record<Work['kind'], { units: number; run(): unknown }> = {
  bcrypt: { units: 2 ** 10, run: () => compareSync('', `$2b$10$${'.'.repeat(53)}`) },
  pbkdf2: { units: 300_000, run: () => pbkdf2Sync('', '', 300_000, 32, 'sha256') },
  scrypt: { units: 1, run: () => scryptSync('', '', 64, scryptOptions) },
}

function fastestUnit(kind: Work['kind']): number {
  const { units, run } = trials[kind]
  // Runs the trial twice, because the first run compiles the code.
  if (!fastest.has(kind)) for (let time = 0; time < 2; time++) recordFastest(kind, units, run)
  return fastest.get(kind) as number
}

/** Runs work and remembers the fastest; ignores the time of work shorter than a trial. */
function recordFastest<T>(kind: Work['kind'], units: number, work: () => T): T {
  const start = processorMilliseconds()
  const result = work()
  const unit = (processorMilliseconds() - start) / units
  if (units >= trials[kind].units) fastest.set(kind, Math.min(fastest.get(kind) ?? Number.POSITIVE_INFINITY, unit))
  return result
}

/**
 * Measures processor time: by the clock, the longer of two kinds would look more expensive, since other work interrupts it more
 * often.
 */
function processorMilliseconds(): number {
  try {
    // Counts this thread alone; process.cpuUsage() counts all.
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6 || performance.now()
  } catch {
    return performance.now()
  }
}
