import { createHmac } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { getRounds } from 'bcryptjs'
import { Piscina } from 'piscina'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { inTurn, timed } from './hash-queue'
import { isImported } from './imported-hash'
import type { RequestContext } from './request-context'

const bcryptMaxBytes = 72

/** bcrypt on the main thread would stall every other request for seconds. */
const pool = () =>
  singleton('hash-pool', () => {
    const threads = availableParallelism()
    const filename = join(process.cwd(), 'build/hash-worker.mjs')
    return new Piscina({ filename, minThreads: threads, maxThreads: threads })
  })

interface Task {
  password: string
  hash: string | null
}

/** At the configured cost. With a hash it tells whether the password matches, without one it returns a new hash. */
function runInPool<T extends boolean | string>({ password, hash }: Task): Promise<T> {
  // Another product may have hashed the password without normalising it.
  const input = hash !== null && isImported(hash) ? password : bcryptInput(password.normalize('NFC'))
  return timed(() => pool().run({ password: input, hash, cost: settings().bcryptCost }))
}

/**
 * Digests passwords that bcrypt would confuse with others: it ignores bytes after the 72nd and mishandles NUL. The HMAC
 * label keeps digests leaked elsewhere from being tried in place of passwords (password shucking).
 */
function bcryptInput(password: string): string {
  if (Buffer.byteLength(password) <= bcryptMaxBytes && !password.includes('\0')) return password
  return createHmac('sha384', 'latchkey/password').update(password).digest('base64')
}

/** What a hash is for: whose share it takes, and what to look at again if it had to wait. */
export interface HashRequest<T> {
  account: string
  context: Pick<RequestContext, 'address' | 'signal'>
  afterWaiting?: () => Promise<T>
}

/**
 * @param request `afterWaiting` throws if the hash is no longer wanted
 * @throws ApiError unavailable if the wait would be too long; whatever `afterWaiting` throws
 */
export function hashPassword(
  password: string,
  { account, context, afterWaiting }: HashRequest<unknown>,
): Promise<string> {
  return inTurn(account, context, async (waited) => {
    if (waited) await afterWaiting?.()
    return runInPool<string>({ password, hash: null })
  })
}

/**
 * A failure takes as long without a hash or with a cheaper one: timing must not reveal which accounts exist.
 *
 * @param password as it was typed
 * @param request `afterWaiting` returns the hash as it is now
 * @throws ApiError unavailable if the wait would be too long
 */
export function verifyPassword(
  password: string,
  hash: string | null,
  { account, context, afterWaiting }: HashRequest<string | null>,
): Promise<boolean> {
  return inTurn(account, context, async (waited) => {
    const current = waited && afterWaiting ? await afterWaiting() : hash
    const result = await runInPool({ password, hash: current })
    return result === true
  })
}

/** An imported hash is replaced by ours, and one of ours by one at the cost that is configured now. */
export const needsRehash = (hash: string) => isImported(hash) || getRounds(hash) < settings().bcryptCost
