import { log } from '@/lib/process/log'

/** Redis answers within a few milliseconds; with the database's own time an attempt is counted within half a second. */
const deadlineMilliseconds = 300
/** So long Redis is left alone after a failure: a slow one must not cost every request the deadline. */
const openMilliseconds = 1_000

/** Asks the first, and while that fails, the second. */
export type CircuitBreaker = <T>(primary: () => Promise<T>, fallback: () => Promise<T>) => Promise<T>

/**
 * Watches over Redis. Whatever fails, or takes longer than the deadline, is done by the database; from then on the
 * database is asked at once, until one probe, at most once a second, has succeeded. The log says when this begins and
 * when it ends, not per request.
 *
 * An attempt that Redis answers too late may be counted by both, so the quota is never exceeded.
 */
export function circuitBreaker(): CircuitBreaker {
  let open = false
  let halfOpenAt = 0
  const failed = (error: unknown) => {
    halfOpenAt = Date.now() + openMilliseconds
    // The message alone: an error of the Redis client carries its command, which may be the password.
    if (!open) log().warn({ reason: reasonOf(error) }, 'Redis is out of order: the database counts attempts')
    open = true
  }
  return async (primary, fallback) => {
    if (open && Date.now() < halfOpenAt) return fallback()
    const halfOpen = open
    // One probe at a time.
    if (halfOpen) halfOpenAt = Date.now() + openMilliseconds
    try {
      const answer = await withinDeadline(primary())
      if (halfOpen && open) log().info('Redis is back: it counts attempts again')
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
    // When this process itself was held up, an answer that has already arrived is still read first.
    const timer = setTimeout(() => setImmediate(late), deadlineMilliseconds)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
