import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import { ApiError } from '@/lib/api/errors'
import { singleton } from '@/lib/process/singleton'
import { recorder } from '@/lib/process/telemetry'
import { settings } from '@/lib/settings/settings'
import { FairQueue, type Turn } from './fair-queue'
import { surroundingNetwork } from './networks'
import { holdBack } from './rejection-pace'
import type { RequestContext } from './request-context'

/** A rejection beats an answer that comes later. */
const longestExpectedMilliseconds = 3_000
/** Clients that repeat at once what was rejected would else keep the server busy with nothing but rejections. */
const rejectionMilliseconds = 500
/** Others who come meanwhile can make a wait longer than expected. The deadline of a split deployment depends on it. */
export const longestWaitMilliseconds = 4_000

interface Job extends Turn {
  start(): void
}

const state = () =>
  singleton('hash-queue', () => ({
    queue: new FairQueue<Job>({ places: availableParallelism(), perAccount: 2, perAddress: 8 }),
    // Corrected by each hash; doubles with each cost.
    hashMilliseconds: 60 * 2 ** (settings().bcryptCost - 10),
  }))

/** How many hashes wait for their turn. */
export const waitingHashes = () => state().queue.length

type Requester = Pick<RequestContext, 'address' | 'signal'>

/**
 * Rejects what would be rejected anyway, before anything is counted for it: counting and refunding cost more than this.
 *
 * @throws ApiError unavailable
 */
export async function requireShortWait(account: string, context: Requester): Promise<void> {
  const rejection = rejectionOf(account, context)
  if (rejection) throw await rejection
}

/** Null if the wait is short. Not async: of requests that come together, each must find the turns of those before it. */
function rejectionOf(account: string, context: Requester): Promise<ApiError> | null {
  const expected = state().queue.expectedTurns(turnOf(account, context)) * state().hashMilliseconds
  if (context.signal?.aborted) return Promise.resolve(busy(expected))
  if (expected <= longestExpectedMilliseconds) return null
  return holdBack(rejectionMilliseconds, context).then(() => throttled(expected))
}

/**
 * Waits for a turn and keeps its place until `work` settles, which may look again at what the wait may have changed.
 *
 * @param account whose share of the hashes this counts against: a username's key, whether or not the account exists
 * @throws ApiError unavailable if the wait would be too long or the client has gone; then `work` never ran
 */
export async function inTurn<T>(
  account: string,
  context: Requester,
  work: (waited: boolean) => Promise<T>,
): Promise<T> {
  const rejection = rejectionOf(account, context)
  if (rejection) throw await rejection
  const asked = performance.now()
  const { job, waited } = await takeTurn(turnOf(account, context), context.signal)
  recorder()?.record('latchkey.hash.wait', (performance.now() - asked) / 1000, {})
  try {
    return await work(waited)
  } finally {
    state().queue.finish(job)
    startNext()
  }
}

const turnOf = (account: string, { address }: Requester): Turn => ({
  account,
  address,
  network: surroundingNetwork(address) ?? address,
})

function takeTurn(turn: Turn, signal: AbortSignal | undefined): Promise<{ job: Job; waited: boolean }> {
  return new Promise((resolve, reject) => {
    let waited = false
    const job = { ...turn, start: () => leave(() => resolve({ job, waited })) }
    const drop = (reason: () => ApiError) => state().queue.remove(job) && leave(() => reject(reason()))
    const abandon = () => drop(() => busy(0))
    const late = setTimeout(() => drop(() => throttled(0)), longestWaitMilliseconds)
    const leave = (settle: () => void) => {
      clearTimeout(late)
      signal?.removeEventListener('abort', abandon)
      settle()
    }
    // Nobody reads the answer to an abandoned request.
    signal?.addEventListener('abort', abandon)
    state().queue.add(job)
    startNext()
    waited = true
  })
}

function startNext(): void {
  const { queue } = state()
  for (let job = queue.next(); job; job = queue.next()) job.start()
}

/** Measures a hash, for what those who wait can expect. */
export async function timed<T>(hash: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await hash()
  const measured = state()
  measured.hashMilliseconds += (performance.now() - start - measured.hashMilliseconds) / 8
  return result
}

const busy = (milliseconds: number) =>
  new ApiError('unavailable', { retryAfter: Math.max(1, Math.ceil(milliseconds / 1000)) })

const throttled = (milliseconds: number) => {
  recorder()?.count('latchkey.throttled', { policy: 'hashing' })
  return busy(milliseconds)
}
