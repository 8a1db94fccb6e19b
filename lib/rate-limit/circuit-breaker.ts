import { log } from '@/lib/process/log'

/** Redis usually answers in a few milliseconds. Together with the fallback an attempt takes at most half a second. */
const deadlineMilliseconds = 300
/** How long the breaker stays open after a failure, so that a slow Redis does not delay every request. */
const openMilliseconds = 1_000

/** Runs `primary`, or `fallback` while the breaker is open and when `primary` fails. */
export type CircuitBreaker = <T>(primary: () => Promise<T>, fallback: () => Promise<T>) => Promise<T>

/**
 * A circuit breaker for Redis. A call that fails or misses the deadline opens it. While open, every call uses the fallback
 * at once; when half-open, at most once a second, one call probes Redis, and a success closes the breaker. The log has one
 * line for opening and one for closing.
 *
 * An attempt that Redis answers too late may count in both stores, but never in neither.
 */
export function circuitBreaker(): CircuitBreaker {
  let open = false
  let halfOpenAt = 0
  const failed = (error: unknown) => {
    halfOpenAt = Date.now() + openMilliseconds
    // Only the message: errors of the Redis client contain the command, which may be AUTH with the password.
    if (!open) log().warn({ reason: reasonOf(error) }, 'Redis unavailable; rate limits fall back to the database')
    open = true
  }
  return async (primary, fallback) => {
    if (open && Date.now() < halfOpenAt) return fallback()
    const halfOpen = open
    // Other calls use the fallback while this one probes.
    if (halfOpen) halfOpenAt = Date.now() + openMilliseconds
    try {
      const answer = await withinDeadline(primary())
      if (halfOpen && open) log().info('Redis available again; rate limits use it')
      if (halfOpen) open = false
      return answer
    } catch (error) {
      failed(error)
      return fallback()
    }
  }
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
