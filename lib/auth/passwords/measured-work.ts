import { pbkdf2Sync, scryptSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { compareSync } from 'bcryptjs'

/** `units` of one comparison: rounds, or for scrypt whole hashes. */
export interface Work {
  kind: 'bcrypt' | 'pbkdf2' | 'scrypt'
  units: number
}

/** better-auth's parameters, which its hashes do not contain. `maxmem` allows the 32 MiB that they take. */
export const scryptOptions = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 }

/** Rounds of bcrypt that take as long as one unit on current processors. */
const usualRoundsPerUnit: Record<Work['kind'], number> = { bcrypt: 1, pbkdf2: 0.003, scrypt: 1_200 }

/** The work in rounds of bcrypt, as it usually is. */
export const usualRounds = ({ kind, units }: Work) => units * usualRoundsPerUnit[kind]

/** The same as this thread has measured it. */
export const measuredRounds = ({ kind, units }: Work) =>
  kind === 'bcrypt' ? units : (units * fastestUnit(kind)) / fastestUnit('bcrypt')

/** The fewest milliseconds that a unit has taken in this thread. */
const fastest = new Map<Work['kind'], number>()

/** Long enough to be measured: Linux may count processor time in ticks of 4 ms. */
const trials: Record<Work['kind'], { units: number; run(): unknown }> = {
  bcrypt: { units: 2 ** 10, run: () => compareSync('', `$2b$10$${'.'.repeat(53)}`) },
  pbkdf2: { units: 300_000, run: () => pbkdf2Sync('', '', 300_000, 32, 'sha256') },
  scrypt: { units: 1, run: () => scryptSync('', '', 64, scryptOptions) },
}

function fastestUnit(kind: Work['kind']): number {
  const { units, run } = trials[kind]
  // Twice, because the first run compiles the code.
  if (!fastest.has(kind)) for (let time = 0; time < 2; time++) recordFastest(kind, units, run)
  return fastest.get(kind) as number
}

/** Work shorter than a trial is too short to be measured. */
export function recordFastest<T>(kind: Work['kind'], units: number, work: () => T): T {
  const start = processorMilliseconds()
  const result = work()
  const unit = (processorMilliseconds() - start) / units
  if (units >= trials[kind].units) fastest.set(kind, Math.min(fastest.get(kind) ?? Number.POSITIVE_INFINITY, unit))
  return result
}

/** Not by the clock: other work interrupts the longer of two kinds more often, which would look more expensive. */
function processorMilliseconds(): number {
  try {
    // Of this thread alone; process.cpuUsage() counts all.
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6 || performance.now()
  } catch {
    return performance.now()
  }
}
