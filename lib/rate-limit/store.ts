/** One policy: how many attempts in how much time. */
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
  /** Finds the same as the store's `retryAt`. Called separately, so that `success` stands if this fails. */
  retryAt(): Promise<number>
  /** Takes this attempt back, as if it had not been made. */
  refund(): Promise<void>
  /** Forgets every attempt that counts under the same key. */
  reset(): Promise<void>
}

/** What a key has counted in the current window and in the one before. */
export interface Bucket {
  count: number
  previous: number
}

/** Where a moment lies in its window. */
export interface WindowPosition {
  now: number
  /** The window's number since 1970 */
  window: number
  /** The share of the window before that still counts, from 1 down to 0 */
  weight: number
}

export function windowAt(now: number, windowMilliseconds: number): WindowPosition {
  const window = Math.floor(now / windowMilliseconds)
  return { now, window, weight: 1 - (now - window * windowMilliseconds) / windowMilliseconds }
}

/** Computes the milliseconds until the policy allows one more attempt: until `count + previous * weight + 1` is at most `max`. */
export function waitMilliseconds(
  { count, previous }: Bucket,
  { max, windowMilliseconds }: Pick<RateLimit, 'max' | 'windowMilliseconds'>,
  { weight }: WindowPosition,
): number {
  const room = max - 1
  if (count + previous * weight <= room) return 0
  // In this window, once the previous one weighs little enough.
  if (count <= room) return Math.max(0, weight - (room - count) / previous) * windowMilliseconds
  // In the next window, once this one weighs little enough there.
  return weight * windowMilliseconds + (1 - room / count) * windowMilliseconds
}
