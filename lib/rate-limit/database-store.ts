import { Ratelimit } from '@upstash/ratelimit'
import { databaseSlidingWindow } from './database-window'
import { type RateLimitStore, windowAt } from './sliding-window'

/**
 * Counts on the application's own database: `@upstash/ratelimit` over our algorithm.
 *
 * @param open gives the database client
 * @param name stands before every key, so quotas never share a bucket
 */
export function databaseStore(
  open: Parameters<typeof databaseSlidingWindow>[0],
  name: string,
  max: number,
  windowMilliseconds: number,
): RateLimitStore {
  const limiter = new Ratelimit({
    // Our algorithm counts in the database: no Redis is asked.
    redis: undefined as never,
    limiter: databaseSlidingWindow(open, max, windowMilliseconds),
    prefix: name,
    // Its timeout would answer `success: true`, and its cache would outlive a bucket that was cleared.
    timeout: 0,
    ephemeralCache: false,
  })
  const currentWindow = () => windowAt(Date.now(), windowMilliseconds).window
  return {
    async consume(key) {
      const counted = currentWindow()
      const { success, reset } = await limiter.limit(key)
      return {
        success,
        retryAt: reset,
        async refund() {
          // The next window never counted it, and would allow one attempt too many.
          if (currentWindow() === counted) await limiter.limit(key, { rate: -1 })
        },
        reset: () => limiter.resetUsedTokens(key),
      }
    },
    async remaining(key) {
      const { remaining, reset } = await limiter.getRemaining(key)
      return { remaining, retryAt: reset }
    },
  }
}
