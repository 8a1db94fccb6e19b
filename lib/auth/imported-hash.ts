import { createHash, pbkdf2Sync, scryptSync, timingSafeEqual } from 'node:crypto'
import { compareSync, getRounds } from 'bcryptjs'

/** A hash of another product is stored under a mark, such as `pbkdf2-sha256:`; ours is bcrypt's text as it is. */
export const isImported = (hash: string) => !hash.startsWith('$')

/** What better-auth uses; its hashes do not say so. `maxmem` allows the 32 MiB that this takes. */
const scryptOptions = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 }

/** A kind of work and how many units of it one comparison takes: rounds, and of scrypt a whole hash. */
interface Work {
  kind: 'bcrypt' | 'pbkdf2' | 'scrypt'
  units: number
}

interface Scheme {
  /** The forms in which the product may have hashed what was typed. */
  inputs(typed: string): string[]
  matches(input: string, hash: string): boolean
  work(hash: string): Work
}

const asTypedThenNfc = (typed: string) => [...new Set([typed, typed.normalize('NFC')])]
const roundsOf = (hash: string): Work => ({ kind: 'bcrypt', units: 2 ** getRounds(hash) })

const schemes: Record<string, Scheme> = {
  // bcrypt itself reads 72 bytes, so longer passwords need no cutting.
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

function read(marked: string) {
  const end = marked.indexOf(':')
  const scheme = schemes[marked.slice(0, end)]
  if (!scheme) throw new Error('A stored password hash has a mark that this version does not know.')
  return { scheme, hash: marked.slice(end + 1) }
}

/** @returns the forms of what was typed that may match a hash under a mark, one or two */
export function inputsFor(typed: string, marked: string): string[] {
  return read(marked).scheme.inputs(typed)
}

/** What a unit takes in rounds of bcrypt on processors of today. */
const usualRounds: Record<Work['kind'], number> = { bcrypt: 1, pbkdf2: 0.003, scrypt: 1_200 }

/**
 * Estimates what a comparison takes before it runs.
 *
 * @param hash as it is stored, ours or under a mark
 * @returns hashes of ours at that cost
 */
export function comparisonWork(hash: string, cost: number): number {
  if (!isImported(hash)) return 2 ** (getRounds(hash) - cost)
  const { scheme, hash: unmarked } = read(hash)
  const { kind, units } = scheme.work(unmarked)
  return (units * usualRounds[kind]) / 2 ** cost
}

/**
 * Compares what was typed, in one form after the other, with a hash under a mark. It computes in the calling thread.
 *
 * @returns whether one matches, and what that took in rounds of bcrypt (cost 10 has 1024)
 * @throws Error without a known mark
 */
export function verifyImported(inputs: string[], marked: string): { matches: boolean; rounds: number } {
  const { scheme, hash } = read(marked)
  const { kind, units } = scheme.work(hash)
  let rounds = 0
  for (const input of inputs) {
    const matches = timed(kind, units, () => scheme.matches(input, hash))
    rounds += (units * (fastest.get(kind) ?? 0)) / bcryptRound()
    if (matches) return { matches, rounds }
  }
  return { matches: false, rounds }
}

/** Milliseconds a unit takes at best in this thread: whatever slowed it down otherwise says nothing about the work. */
const fastest = new Map<Work['kind'], number>()

/** Runs work and learns from it what a unit takes. */
export function timed<T>(kind: Work['kind'], units: number, work: () => T): T {
  const start = performance.now()
  const result = work()
  fastest.set(kind, Math.min(fastest.get(kind) ?? Number.POSITIVE_INFINITY, (performance.now() - start) / units))
  return result
}

/** A cost at which bcrypt's preparation no longer counts, tried often enough to be compiled. */
const [trialCost, trials] = [6, 8]

function bcryptRound(): number {
  const trial = `$2b$0${trialCost}$${'.'.repeat(53)}`
  if (!fastest.has('bcrypt'))
    for (let time = 0; time < trials; time++) timed('bcrypt', 2 ** trialCost, () => compareSync('', trial))
  return fastest.get('bcrypt') as number
}
