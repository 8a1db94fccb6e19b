import type { AuthenticationOptions } from '@/lib/api/schemas'

/** A minute less than challenges live, which the person and the request take. */
const maxAge = 9 * 60_000

/** The options of an authentication that need not be asked for: the page's, until they are old or used. */
export interface OptionsAtHand {
  /** Null if fresh ones are to be asked for. */
  get(): AuthenticationOptions | null
  /** Whether the last ones are too old by now, used or not. */
  isOld(): boolean
  /** Puts fresh ones in their place. */
  keep(options: AuthenticationOptions): AuthenticationOptions
  /** The server takes a challenge once; and what a browser rejects, it would reject again. */
  consume(): void
}

/** @param given the page's, as old as the visit. A page from the back/forward cache is loaded again and has its own. */
export function optionsAtHand(given: AuthenticationOptions | null): OptionsAtHand {
  let options = given
  let madeAt = performance.timeOrigin
  // Either way, since a clock can be set back.
  const isOld = () => Math.abs(Date.now() - madeAt) >= maxAge
  return {
    get: () => (isOld() ? null : options),
    isOld,
    keep(fresh) {
      madeAt = Date.now()
      options = fresh
      return fresh
    },
    consume() {
      options = null
    },
  }
}
