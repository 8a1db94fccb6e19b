import { createHash, pbkdf2Sync, scryptSync, timingSafeEqual } from 'node:crypto'
import { compareSync, getRounds } from 'bcryptjs'

/** True for another product's hash, which has a mark such as `pbkdf2-sha256:`; ours are plain bcrypt text. */
export const isImported = (hash: string) => !hash.startsWith('$')

/** The work of one comparison: the rounds of bcrypt or PBKDF2, or the number of whole hashes of scrypt. */
export interface Work {
  kind: 'bcrypt' | 'pbkdf2' | 'scrypt'
  units: number
}

type Mark = 'bcrypt72' | 'bcrypt-sha256' | 'pbkdf2-sha256' | 'scrypt'

interface Scheme {
  /** The forms in which the product may have hashed the person's text */
  inputs(typed: string): string[]
  matches(input: string, hash: string): boolean
  work(hash: string): Work
}

/** The parameters of better-auth, whose hashes do not contain them. `maxmem` allows the 32 MiB that they take. */
export const scryptOptions = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 }

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

function schemeOf(marked: string): { scheme: Scheme; hash: string } {
  const { mark, hash } = splitMark(marked)
  return { scheme: schemes[mark], hash }
}

export const inputsFor = (typed: string, marked: string): string[] => schemeOf(marked).scheme.inputs(typed)

export function matchesImported(input: string, marked: string): boolean {
  const { scheme, hash } = schemeOf(marked)
  return scheme.matches(input, hash)
}

export function workOf(marked: string): Work {
  const { scheme, hash } = schemeOf(marked)
  return scheme.work(hash)
}

/** The rounds of bcrypt that take about as long as one unit on current processors: enough to plan turns by. */
const usualRounds: Record<Work['kind'], number> = { bcrypt: 1, pbkdf2: 0.003, scrypt: 1_200 }

/** Estimates the work of one comparison, in hashes at this cost. */
export function comparisonWork(hash: string, cost: number): number {
  const { kind, units } = isImported(hash) ? workOf(hash) : roundsOf(hash)
  return (units * usualRounds[kind]) / 2 ** cost
}
