import { createHmac } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { getRounds } from 'bcryptjs'
import { Piscina } from 'piscina'
import { isExpensive } from '@/lib/fair-queue/lanes'
import { ownFile } from '@/lib/process/files'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { inTurn, measureHash, oneHash, type Requester } from './hash-queue'
import type { HashTask } from './hash-worker'
import { comparisonWork, inputsFor, isImported } from './imported-hash'

/*
 * Hashes and compares passwords: hash-queue.ts says whose turn it is, hash-worker.ts does the work in a thread, and
 * imported-hash.ts knows the hashes of other products.
 */

interface HashRequest<T> extends Requester {
  /** Called after a wait for a turn, to read again what may have changed meanwhile */
  afterWaiting?: () => Promise<T>
}

/**
 * Hashes a password.
 *
 * @param afterWaiting throws if nobody wants the hash any more
 * @throws ApiError unavailable if the wait would be too long
 */
export function hashPassword(password: string, { afterWaiting, ...requester }: HashRequest<unknown>): Promise<string> {
  return inTurn(requester, async (waited) => {
    if (waited) await afterWaiting?.()
    return runInPool<string>({ inputs: [inputForOurs(password)], hash: null, work: oneHash })
  })
}

/**
 * Compares a password with a hash. A failure takes as long without a hash or with a cheaper one: timing must not reveal which
 * accounts exist.
 *
 * @param afterWaiting returns the hash as it is now
 */
export async function verifyPassword(
  password: string,
  hash: string | null,
  { afterWaiting, ...requester }: HashRequest<string | null>,
): Promise<boolean> {
  let current = hash
  for (const [index, { inputs, work }] of turnsFor(password, hash).entries()) {
    const isBegun = index > 0
    const compare = async (waited: boolean) => {
      if ((waited || isBegun) && afterWaiting) current = await afterWaiting()
      // Meanwhile a sign-in may have replaced the imported hash by one of ours, which has one form only.
      const formsOfCurrent = current !== null && isImported(current) ? inputs : [inputForOurs(password)]
      return (await runInPool({ inputs: formsOfCurrent, hash: current, work })) === true
    }
    if (await inTurn(requester, compare, { work, isBegun })) return true
  }
  return false
}

/** Parts a comparison into turns: an imported hash may be of either of two forms, and if these are expensive, each takes a turn. */
function turnsFor(password: string, hash: string | null): { inputs: string[]; work: number }[] {
  const inputs = hash !== null && isImported(hash) ? inputsFor(password, hash) : [password]
  const each = hash === null ? oneHash : comparisonWork(hash, settings().bcryptCost)
  // A failure takes at least the work of one hash.
  const turn = (some: string[]) => ({ inputs: some, work: Math.max(oneHash, some.length * each) })
  return isExpensive({ work: inputs.length * each }) ? inputs.map((input) => turn([input])) : [turn(inputs)]
}

/** True for hashes that a sign-in replaces: imported ones, and ours below the configured cost. */
export const needsRehash = (hash: string) => isImported(hash) || getRounds(hash) < settings().bcryptCost

/** @param work at most, in hashes at the configured cost */
function runInPool<T extends boolean | string>({
  inputs,
  hash,
  work,
}: Pick<HashTask, 'inputs' | 'hash'> & { work: number }): Promise<T> {
  return measureHash(work, () => pool().run({ inputs, hash, cost: settings().bcryptCost }))
}

/** Hashes in other threads: bcrypt on the main one would stall every other request for seconds. */
const pool = () =>
  singleton('hash-pool', () => {
    const threads = availableParallelism()
    const filename = ownFile('build/hash-worker.mjs')
    return new Piscina({ filename, minThreads: threads, maxThreads: threads })
  })

const bcryptMaxBytes = 72

const inputForOurs = (password: string) => bcryptInput(password.normalize('NFC'))

/**
 * Replaces a password that bcrypt cannot hash by its HMAC: bcrypt ignores bytes after the 72nd and mishandles NUL. The HMAC's
 * label keeps a thief from trying digests that leaked elsewhere in place of passwords (password shucking).
 */
function bcryptInput(password: string): string {
  if (Buffer.byteLength(password) <= bcryptMaxBytes && !password.includes('\0')) return password
  return createHmac('sha384', 'latchkey/password').update(password).digest('base64')
}
