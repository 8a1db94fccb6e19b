import { log } from '@/lib/process/log'

/** Redis answers within a few milliseconds; with the database's own time an attempt is counted within half a second. */
const deadlineMilliseconds = 300
/** So long Redis is left alone after a failure: a slow one must not cost every request the deadline. */
const restMilliseconds = 1_000

/** Asks the first, and while that fails, the second. */
export type Switch = <T>(first: () => Promise<T>, second: () => Promise<T>) => Promise<T>

/**
 * Watches over Redis. Whatever fails, or takes longer than the deadline, is done by the database; from then on the
 * database is asked at once, until one probe, at most once a second, has succeeded. The log says when this begins and
 * when it ends, not per request.
 *
 * An attempt that Redis answers too late may be counted by both, so the quota is never exceeded.
 */
export function outageSwitch(): Switch {
  let out = false
  let probeAt = 0
  const failed = (error: unknown) => {
    probeAt = Date.now() + restMilliseconds
    // The message alone: an error of the Redis client carries its command, which may be the password.
    if (!out) log().warn({ reason: reasonOf(error) }, 'Redis is out of order: the database counts attempts')
    out = true
  }
  return async (first, second) => {
    if (out && Date.now() < probeAt) return second()
    const probe = out
    // One probe at a time.
    if (probe) probeAt = Date.now() + restMilliseconds
    try {
      const answer = await withinDeadline(first())
      if (probe && out) log().info('Redis is back: it counts attempts again')
      if (probe) out = false
      return answer
    } catch (error) {
      failed(error)
      return second()
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
