import { Ratelimit } from '@upstash/ratelimit'
import { databaseWindow } from './database-window'
import { once } from './once'

/**
 * The rate limiter of a quota, one per process: `@upstash/ratelimit` over our own database.
 *
 * @param name stands before every key, so quotas never share a bucket
 */
export function limiter(name: string, max: number, windowMilliseconds: number): Ratelimit {
  return once(`limiter/${name}`, () => {
    return new Ratelimit({
      // Our algorithm counts in the database: no Redis is asked.
      redis: undefined as never,
      limiter: databaseWindow(max, windowMilliseconds),
      prefix: name,
      // Its timeout would answer `success: true`, and its cache would outlive a bucket that was cleared.
      timeout: 0,
      ephemeralCache: false,
      enableTelemetry: false,
    })
  })
}
