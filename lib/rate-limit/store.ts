/** One policy: so many attempts in so much time. */
export interface RateLimit {
  /** Prefixes its keys, so that policies never share a bucket */
  name: string
  max: number
  windowMilliseconds: number
}

/** Counts the attempts of one policy. Keys are HMACs, never names or addresses. */
export interface RateLimitStore {
  /** Counts an attempt if the policy allows one more. Atomic, however many arrive at once. */
  consume(key: string): Promise<Attempt>
  /** Finds when the policy allows the next attempt, in milliseconds since 1970; not after now if it allows one. Counts nothing. */
  retryAt(key: string): Promise<number>
}

export interface Attempt {
  /** False if the policy did not allow the attempt, which then does not count */
  success: boolean
  /** Like the store's; a separate call, so that `success` stands if this fails. */
  retryAt(): Promise<number>
  refund(): Promise<void>
  /** Forgets every attempt that counts under the same key. */
  reset(): Promise<void>
}

export interface Bucket {
  count: number
  previous: number
}

export interface WindowPosition {
  /** The window's number since 1970 */
  window: number
  /** The share of the window before that still counts, from 1 down to 0 */
  weight: number
  now: number
}

export function windowAt(now: number, windowMilliseconds: number): WindowPosition {
  const window = Math.floor(now / windowMilliseconds)
  return { window, weight: 1 - (now - window * windowMilliseconds) / windowMilliseconds, now }
}

/** Milliseconds until `count + previous * weight` is at most `room`, in this window or the next one. */
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
