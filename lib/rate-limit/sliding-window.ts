/** An attempt that was counted, and what can still be done to it where it was counted. */
export interface Attempt {
  /** False: it is one too many, and was not counted. */
  success: boolean
  /** When one more attempt is allowed, in milliseconds since 1970. */
  retryAt: number
  /** Takes it back, since it turned out not to count. */
  refund(): Promise<void>
  /** Forgets all attempts that were counted in the same bucket. */
  reset(): Promise<void>
}

/** Counts the attempts of one quota. Keys are digests of whom it counts. */
export interface RateLimitStore {
  /** Counts one attempt if it is within the quota; deciding and counting are one step, however many come at once. */
  consume(key: string): Promise<Attempt>
  /** How many attempts are left, and when one more is allowed; counts nothing. */
  remaining(key: string): Promise<{ remaining: number; retryAt: number }>
}

/** Attempts in this window and in the one before. */
export interface Bucket {
  count: number
  previous: number
}

/** Where in its window a moment is: the window's number, and how much the window before still weighs. */
export function windowAt(now: number, windowMilliseconds: number) {
  const window = Math.floor(now / windowMilliseconds)
  return { window, weight: 1 - (now - window * windowMilliseconds) / windowMilliseconds, now }
}

/**
 * How long until `count + weighted previous` is no more than `room`: 0 if it is now; otherwise later in this window, or
 * some way into the next.
 */
export function waitMilliseconds(
  { count, previous }: Bucket,
  room: number,
  windowMilliseconds: number,
  weight: number,
) {
  if (count + previous * weight <= room) return 0
  const untilPreviousWeighs = (weightThen: number) => Math.max(0, weight - weightThen) * windowMilliseconds
  if (count <= room) return untilPreviousWeighs((room - count) / previous)
  return weight * windowMilliseconds + (1 - room / count) * windowMilliseconds
}
