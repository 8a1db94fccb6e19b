import { createHash, pbkdf2Sync, scryptSync, timingSafeEqual } from 'node:crypto'
import { compareSync, getRounds } from 'bcryptjs'
import { measuredRounds, recordFastest, scryptOptions, usualRounds, type Work } from './measured-work'

/** Other products' hashes are stored under a mark, such as `pbkdf2-sha256:`; ours are plain bcrypt text. */
export const isImported = (hash: string) => !hash.startsWith('$')

type Mark = 'bcrypt72' | 'bcrypt-sha256' | 'pbkdf2-sha256' | 'scrypt'

interface Scheme {
  /** The forms in which the product may have hashed what was typed. */
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
