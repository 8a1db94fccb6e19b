import { createHash, pbkdf2Sync, scryptSync, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { compareSync, getRounds } from 'bcryptjs'

/** True for another product's hash, which has a mark such as `pbkdf2-sha256:`; ours are plain bcrypt text. */
export const isImported = (hash: string) => !hash.startsWith('$')

type Mark = 'bcrypt72' | 'bcrypt-sha256' | 'pbkdf2-sha256' | 'scrypt'

interface Scheme {
  /** The forms in which the product may have hashed the person's text */
  inputs(typed: string): string[]
  matches(input: string, hash: string): boolean
  work(hash: string): Work
}

const asTypedThenNfc = (typed: string) => [...new Set([typed, typed.normalize('NFC')])]
const roundsOf = (hash: string): Work => ({ kind: 'bcrypt', units: 2 ** getRounds(hash) })

const schemes: Record<Mark, Scheme> = {
  // bcrypt reads only 72 bytes, so longer passwords need no cutting.
  bcrypt72: { inputs: asTypedThenNfc, matches: compareSync, work: roundsOf },
  'bcrypt-sha256': {
    inputs: asTypedThenNfc,
    matches: (input, hash) => compareSync(createHash('sha256').update(input).digest('hex'), hash),
    work: roundsOf,
  },
  'pbkdf2-sha256': {
    inputs: asTypedThenNfc,
    matches(input, hash) {
      const [rounds, salt = '', expected = ''] = hash.split('$')
      const key = Buffer.from(expected, 'base64')
      return timingSafeEqual(pbkdf2Sync(input, salt, Number(rounds), key.length, 'sha256'), key)
    },
    work: (hash) => ({ kind: 'pbkdf2', units: Number.parseInt(hash, 10) }),
  },
  scrypt: {
    inputs: (typed) => [typed.normalize('NFKC')],
    matches(input, hash) {
      const [salt = '', expected = ''] = hash.split(':')
      const key = Buffer.from(expected, 'hex')
      return timingSafeEqual(scryptSync(input, salt, key.length, scryptOptions), key)
    },
    work: () => ({ kind: 'scrypt', units: 1 }),
  },
}

export const withMark = (mark: Mark, hash: string) => `${mark}:${hash}`

export function splitMark(marked: string): { mark: Mark; hash: string } {
  const end = marked.indexOf(':')
  const mark = marked.slice(0, end)
  if (!Object.hasOwn(schemes, mark))
    throw new Error('A stored password hash has a mark that this version does not know.')
  return { mark: mark as Mark, hash: marked.slice(end + 1) }
}

function read(marked: string) {
  const { mark, hash } = splitMark(marked)
  return { scheme: schemes[mark], hash }
}

export function inputsFor(typed: string, marked: string): string[] {
  return read(marked).scheme.inputs(typed)
}

/** The work of one comparison, in hashes at this cost. */
export function comparisonWork(hash: string, cost: number): number {
  if (!isImported(hash)) return 2 ** (getRounds(hash) - cost)
  const { scheme, hash: unmarked } = read(hash)
  return usualRounds(scheme.work(unmarked)) / 2 ** cost
}

/** Compares in order, in the calling thread. `rounds`: the work of a failure in rounds of bcrypt (cost 10 has 1024) */
export function verifyImported(inputs: string[], marked: string): { matches: boolean; rounds: number } {
  const { scheme, hash } = read(marked)
  const work = scheme.work(hash)
  for (const input of inputs)
    if (recordFastest(work.kind, work.units, () => scheme.matches(input, hash))) return { matches: true, rounds: 0 }
  return { matches: false, rounds: inputs.length * measuredRounds(work) }
}

/** `units` of one comparison: rounds, or for scrypt whole hashes. */
interface Work {
  kind: 'bcrypt' | 'pbkdf2' | 'scrypt'
  units: number
}

/** The parameters of better-auth, whose hashes do not contain them. `maxmem` allows the 32 MiB that they take. */
const scryptOptions = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 }

/** Rounds of bcrypt that take as long as one unit on current processors. */
const usualRoundsPerUnit: Record<Work['kind'], number> = { bcrypt: 1, pbkdf2: 0.003, scrypt: 1_200 }

/** The work in rounds of bcrypt, as it usually is. */
const usualRounds = ({ kind, units }: Work) => units * usualRoundsPerUnit[kind]

/**
 * The same, as this thread has measured it: how a unit of one kind compares with one of another depends on the processor, and a
 * fixed ratio would let the time of a failure tell whose hash was imported.
 */
const measuredRounds = ({ kind, units }: Work) =>
  kind === 'bcrypt' ? units : (units * fastestUnit(kind)) / fastestUnit('bcrypt')

/** The fewest milliseconds that a unit has taken in this thread. */
const fastest = new Map<Work['kind'], number>()

/** Trials that take long enough to measure: Linux may count processor time in ticks of 4 ms. */
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

/** Runs work and remembers the fastest; work shorter than a trial is too short to measure. */
export function recordFastest<T>(kind: Work['kind'], units: number, work: () => T): T {
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
