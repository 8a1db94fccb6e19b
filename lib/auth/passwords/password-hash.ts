import { createHmac } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { getRounds } from 'bcryptjs'
import { Piscina } from 'piscina'
import { isExpensive } from '@/lib/fair-queue/waiting'
import { ownFile } from '@/lib/process/files'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { inTurn, measureHash, type Requester } from './hash-queue'
import { comparisonWork, inputsFor, isImported } from './imported-hash'

interface HashRequest<T> extends Requester {
  /** Reads again what may have changed during the wait */
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
    return runInPool<string>({ inputs: [inputForOurs(password)], hash: null, work: 1 })
  })
}

/**
 * A failure takes as long without a hash or with a cheaper one: timing must not reveal which accounts exist.
 * `afterWaiting` returns the hash as it is now.
 */
export async function verifyPassword(
  password: string,
  hash: string | null,
  { afterWaiting, ...requester }: HashRequest<string | null>,
): Promise<boolean> {
  let current = hash
  for (const [index, { inputs, work }] of turnsFor(password, hash).entries()) {
    const matches = await inTurn(
      requester,
      async (waited) => {
        if ((waited || index > 0) && afterWaiting) current = await afterWaiting()
        const ofCurrent = current !== null && isImported(current) ? inputs : [inputForOurs(password)]
        return (await runInPool({ inputs: ofCurrent, hash: current, work })) === true
      },
      { work, isBegun: index > 0 },
    )
    if (matches) return true
  }
  return false
}

/** An imported hash may be of either of two forms. Expensive comparisons take a turn each; cheap ones share one. */
function turnsFor(password: string, hash: string | null): { inputs: string[]; work: number }[] {
  if (hash === null) return [{ inputs: [password], work: 1 }]
  const inputs = isImported(hash) ? inputsFor(password, hash) : [password]
  const each = comparisonWork(hash, settings().bcryptCost)
  const atLeastOne = (work: number) => Math.max(1, work)
  if (!isExpensive({ work: inputs.length * each })) return [{ inputs, work: atLeastOne(inputs.length * each) }]
  return inputs.map((input) => ({ inputs: [input], work: atLeastOne(each) }))
}

/** True for hashes that a sign-in replaces: imported ones, and ours below the configured cost. */
export const needsRehash = (hash: string) => isImported(hash) || getRounds(hash) < settings().bcryptCost

interface Task {
  inputs: string[]
  hash: string | null
  /** The largest number of hashes at the configured cost */
  work: number
}

function runInPool<T extends boolean | string>({ inputs, hash, work }: Task): Promise<T> {
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
