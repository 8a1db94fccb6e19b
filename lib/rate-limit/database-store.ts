import { Ratelimit } from '@upstash/ratelimit'
import { databaseWindow } from './database-window'
import { type Counter, windowAt } from './sliding-window'

/**
 * Counts on the application's own database: `@upstash/ratelimit` over our algorithm.
 *
 * @param open gives the database client
 * @param name stands before every key, so quotas never share a bucket
 */
export function databaseCounter(
  open: Parameters<typeof databaseWindow>[0],
  name: string,
  max: number,
  windowMilliseconds: number,
): Counter {
  const limiter = new Ratelimit({
    // Our algorithm counts in the database: no Redis is asked.
    redis: undefined as never,
    limiter: databaseWindow(open, max, windowMilliseconds),
    prefix: name,
    // Its timeout would answer `success: true`, and its cache would outlive a bucket that was cleared.
    timeout: 0,
    ephemeralCache: false,
  })
  const currentWindow = () => windowAt(Date.now(), windowMilliseconds).window
  return {
    async take(key) {
      const counted = currentWindow()
      const { success, reset } = await limiter.limit(key)
      return {
        success,
        reset,
        async giveBack() {
          // The next window never counted it, and would allow one attempt too many.
          if (currentWindow() === counted) await limiter.limit(key, { rate: -1 })
        },
        clear: () => limiter.resetUsedTokens(key),
      }
    },
    left: (key) => limiter.getRemaining(key),
  }
}
