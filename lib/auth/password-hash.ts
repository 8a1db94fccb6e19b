import { createHmac } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { getRounds } from 'bcryptjs'
import { Piscina } from 'piscina'
import { ApiError } from '@/lib/api/errors'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'

/** At most so many hashes wait for each thread; one more is refused at once rather than answered too late. */
const queuePerThread = 64
/** bcrypt reads this many bytes of a password. */
const bcryptBytes = 72

/** A pool the size of the machine: bcrypt in the main thread would make every other request wait for seconds. */
const pool = () =>
  singleton('hash-pool', () => {
    const threads = availableParallelism()
    const filename = join(process.cwd(), 'build/hash-worker.mjs')
    return new Piscina({ filename, minThreads: threads, maxThreads: threads })
  })

function run<T>(task: { password: string } & ({ hash: string } | { cost: number })): Promise<T> {
  const { queueSize, options } = pool()
  if (queueSize >= queuePerThread * options.maxThreads) throw new ApiError('unavailable', { retryAfter: 5 })
  return pool().run({ ...task, password: fitting(task.password) })
}

/**
 * bcrypt ignores what comes after 72 bytes and repeats a password after a NUL, so that two passwords could be one.
 * Such a password is digested first; the label keeps the digest from being one that another service may have leaked.
 */
function fitting(password: string): string {
  if (Buffer.byteLength(password) <= bcryptBytes && !password.includes('\0')) return password
  return createHmac('sha384', 'latchkey/password').update(password).digest('base64')
}

/** Hashes a password at the configured cost. @throws ApiError unavailable when too many wait */
export function hashPassword(password: string): Promise<string> {
  return run({ password, cost: settings().bcryptCost })
}

/**
 * Whether the password is the one that was hashed. Without a hash (unknown user, or one without password) it fails after
 * the same work, and a hash of a lower cost is made up to the configured one: an answer's time tells nothing.
 *
 * @throws ApiError unavailable when too many wait
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const { bcryptCost } = settings()
  const cost = hash === null ? bcryptCost : getRounds(hash)
  const good =
    hash === null ? await run<string>({ password, cost }).then(() => false) : await run<boolean>({ password, hash })
  if (!good) for (let missing = cost; missing < bcryptCost; missing++) await run({ password, cost: missing })
  return good
}

/** Whether a stored hash costs less than is asked for now. */
export const isWeak = (hash: string) => getRounds(hash) < settings().bcryptCost
