import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import { ApiError } from '@/lib/api/errors'
import { longestWaitMilliseconds } from '@/lib/api/limits'
import { FairQueue, startNext } from '@/lib/fair-queue/fair-queue'
import type { QueuedJob, StartableJob } from '@/lib/fair-queue/lanes'
import { recorder } from '@/lib/process/recorder'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { networkOf, type RequestContext } from '../request'
import { holdBack } from '../throttling/rejection-pace'

/** Beyond this, a rejection is better than a late response, unless few are ahead. */
const longestExpectedMilliseconds = 3_000
/** The hashes that may always be ahead, so that even a slow core lets a household or an office sign in at once. */
const fewHashes = 8
/** Delays rejections, or clients that retry at once would keep the server busy. */
const rejectionMilliseconds = 500

/** The unit of work: one hash at the configured cost. */
export const oneHash = 1

const state = () =>
  singleton('hash-queue', () => ({
    queue: new FairQueue<StartableJob>({ places: availableParallelism(), perAccount: 2, perAddress: 8 }),
    // Begins with an estimate, which doubles with each cost; each hash corrects it.
    hashMilliseconds: 60 * 2 ** (settings().bcryptCost - 10),
  }))

export const waitingHashes = () => state().queue.length

export interface Requester {
  /**
   * The owner of the share in the queue: a username's key, whether or not the account exists; for a sign-up, a key of no
   * account
   */
  account: string
  context: Pick<RequestContext, 'address' | 'signal'>
  /**
   * True for a known browser, and for a person whose credential is verified: they have a separate lane, which strangers delay
   * by one turn only
   */
  isKnown?: boolean
}

/** Rejects a request that the queue would reject anyway, before its attempt is counted and refunded, which costs more. */
export async function requireShortWait(requester: Requester): Promise<void> {
  const rejection = rejectionOf(turnOf(requester, oneHash), requester.context)
  if (rejection) throw await rejection
}

/**
 * Decides whether a job may wait for its turn. Decides at once, before it returns, so that each of several concurrent requests
 * counts those before it.
 *
 * @returns null if it may; otherwise a promise of the error, which comes late
 */
function rejectionOf(turn: QueuedJob, context: Requester['context']): Promise<ApiError> | null {
  const hashes = state().queue.expectedWait(turn)
  const expected = hashes * state().hashMilliseconds
  if (context.signal?.aborted) return Promise.resolve(busy(expected))
  if (expected <= (hashes <= fewHashes ? longestWaitMilliseconds : longestExpectedMilliseconds)) return null
  return holdBack(rejectionMilliseconds, context).then(() => throttled(expected))
}

interface TurnOptions {
  /** In hashes at the configured cost */
  work?: number
  /** Runs in any case, because a rejection would leave the part that has run uncounted. */
  isBegun?: boolean
}

/**
 * Runs work when its turn to hash comes.
 *
 * @param run keeps its place until it settles; after waiting, it must check again everything that may have changed
 * @throws ApiError unavailable, without a run, if the wait would be too long or the client has disconnected
 */
export async function inTurn<T>(
  requester: Requester,
  run: (waited: boolean) => Promise<T>,
  { work = oneHash, isBegun = false }: TurnOptions = {},
): Promise<T> {
  const { context } = requester
  const turn = turnOf(requester, work)
  const rejection = isBegun ? null : rejectionOf(turn, context)
  if (rejection) throw await rejection
  const start = performance.now()
  const { job, waited } = await takeTurn(turn, isBegun ? null : context)
  recorder()?.record('latchkey.hash.wait', (performance.now() - start) / 1000, {})
  try {
    return await run(waited)
  } finally {
    state().queue.finish(job)
    startNext(state().queue)
  }
}

const turnOf = ({ account, context: { address }, isKnown = false }: Requester, work: number): QueuedJob => ({
  lane: isKnown ? 'known' : 'unknown',
  account,
  address,
  // The network takes turns as one in both lanes: an address may have a hundred accounts, whose browsers are all known.
  party: networkOf(address),
  line: isKnown ? account : address,
  work,
})

/**
 * Waits until the queue starts a job.
 *
 * @param context null if nothing may end the wait; otherwise a client that leaves ends it, and so does the longest wait
 */
function takeTurn(turn: QueuedJob, context: Requester['context'] | null) {
  return new Promise<{ job: StartableJob; waited: boolean }>((resolve, reject) => {
    let waited = false
    const job = { ...turn, start: () => leave(() => resolve({ job, waited })) }
    const drop = (reason: () => ApiError) => state().queue.remove(job) && leave(() => reject(reason()))
    const abandon = () => drop(() => busy(0))
    const late = context ? setTimeout(() => drop(() => throttled(0)), longestWaitMilliseconds) : undefined
    const leave = (done: () => void) => {
      clearTimeout(late)
      context?.signal?.removeEventListener('abort', abandon)
      done()
    }
    context?.signal?.addEventListener('abort', abandon)
    state().queue.add(job)
    startNext(state().queue)
    waited = true
  })
}

/**
 * Runs work of the pool and corrects the estimate of how long a hash takes.
 *
 * @param work in hashes at the configured cost
 */
export async function measureHash<T>(work: number, hash: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await hash()
  const measured = state()
  measured.hashMilliseconds += ((performance.now() - start) / work - measured.hashMilliseconds) / 8
  return result
}

const busy = (milliseconds: number) =>
  new ApiError('unavailable', { retryAfter: Math.max(1, Math.ceil(milliseconds / 1000)) })

const throttled = (milliseconds: number) => {
  recorder()?.count('latchkey.throttled', { policy: 'hashing' })
  return busy(milliseconds)
}
