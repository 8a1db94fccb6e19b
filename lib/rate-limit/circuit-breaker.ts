import { log } from '@/lib/process/log'

/** Leaves the fallback time, so that an attempt takes at most half a second. */
const deadlineMilliseconds = 300
const openMilliseconds = 1_000

type State = 'closed' | 'half-open' | 'open'

export interface CircuitBreaker {
  <T>(primary: () => Promise<T>, fallback: () => Promise<T>): Promise<T>
  /** Half-open while one call probes Redis. */
  state(): State
}

/**
 * Runs `primary`, or `fallback` if that fails. A failure or a missed deadline opens the breaker: calls then use the fallback
 * at once, so a slow Redis does not delay them. Half-open, once a second, it lets one call probe Redis, and a success
 * closes it. Opening and closing are logged.
 *
 * An attempt that Redis answers too late may count in both stores, but never in neither.
 */
export function circuitBreaker(): CircuitBreaker {
  let state: State = 'closed'
  let halfOpenAt = 0
  const failed = (error: unknown) => {
    halfOpenAt = Date.now() + openMilliseconds
    // Only the message: errors of the Redis client contain the command, which may be AUTH with the password.
    if (state === 'closed')
      log().warn({ reason: reasonOf(error) }, 'Redis unavailable; rate limits fall back to the database')
    state = 'open'
  }
  async function run<T>(primary: () => Promise<T>, fallback: () => Promise<T>): Promise<T> {
    const probes = state !== 'closed'
    if (probes && Date.now() < halfOpenAt) return fallback()
    if (probes) {
      state = 'half-open'
      // Other calls use the fallback while this one probes.
      halfOpenAt = Date.now() + openMilliseconds
    }
    try {
      const answer = await withinDeadline(primary())
      if (probes && state !== 'closed') log().info('Redis available again; rate limits use it')
      if (probes) state = 'closed'
      return answer
    } catch (error) {
      failed(error)
      return fallback()
    }
  }
  return Object.assign(run, { state: () => state })
}

function withinDeadline<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${deadlineMilliseconds} ms`))
    // If this process itself was blocked, an answer that has already arrived is still read first.
    const timer = setTimeout(() => setImmediate(late), deadlineMilliseconds)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
