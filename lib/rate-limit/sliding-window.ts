export interface Bucket {
  count: number
  previous: number
}

export interface WindowPosition {
  /** The window's number since 1970. */
  window: number
  /** The share of the window before that still counts: from 1 down to 0. */
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
