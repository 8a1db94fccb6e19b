import { createHmac } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { getRounds } from 'bcryptjs'
import { Piscina } from 'piscina'
import { ApiError } from '@/lib/api/errors'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'

/** Beyond this many waiting hashes, rejecting at once beats answering too late. */
const queuePerThread = 64
const bcryptMaxBytes = 72

/** bcrypt on the main thread would stall every other request for seconds. */
const pool = () =>
  singleton('hash-pool', () => {
    const threads = availableParallelism()
    const filename = join(process.cwd(), 'build/hash-worker.mjs')
    return new Piscina({ filename, minThreads: threads, maxThreads: threads })
  })

function runInPool<T>(task: { password: string } & ({ hash: string } | { cost: number })): Promise<T> {
  const { queueSize, options } = pool()
  if (queueSize >= queuePerThread * options.maxThreads) throw new ApiError('unavailable', { retryAfter: 5 })
  return pool().run({ ...task, password: bcryptInput(task.password) })
}

/**
 * Digests passwords that bcrypt would confuse with others: it ignores bytes after the 72nd and mishandles NUL. The HMAC
 * label keeps digests leaked elsewhere from being tried in place of passwords (password shucking).
 */
function bcryptInput(password: string): string {
  if (Buffer.byteLength(password) <= bcryptMaxBytes && !password.includes('\0')) return password
  return createHmac('sha384', 'latchkey/password').update(password).digest('base64')
}

/** @throws ApiError unavailable if too many hashes wait */
export function hashPassword(password: string): Promise<string> {
  return runInPool({ password, cost: settings().bcryptCost })
}

/**
 * A failure takes as long without a hash or with a cheaper one: timing must not reveal which accounts exist.
 *
 * @throws ApiError unavailable if too many hashes wait
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const { bcryptCost } = settings()
  if (hash === null) {
    await runInPool({ password, cost: bcryptCost })
    return false
  }
  const matches = await runInPool<boolean>({ password, hash })
  // The work doubles with each cost, so one hash per missing cost makes up the difference.
  if (!matches) for (let cost = getRounds(hash); cost < bcryptCost; cost++) await runInPool({ password, cost })
  return matches
}

export const needsRehash = (hash: string) => getRounds(hash) < settings().bcryptCost
