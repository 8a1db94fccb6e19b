import type { AuthenticationOptions } from '@/lib/api/schemas'

/** A minute less than a challenge's lifetime, to leave time for the prompt and the request. */
const maxAge = 9 * 60_000

/** Authentication options that need no request: the page's, until they are too old or consumed. */
export interface OptionsAtHand {
  /** Takes the options; null if the page must request new ones. */
  get(): AuthenticationOptions | null
  /** True if the last ones are too old, consumed or not. */
  isOld(): boolean
  /** Replaces them with fresh ones. */
  keep(options: AuthenticationOptions): AuthenticationOptions
  /** The server accepts a challenge once, and a browser that rejected these options would reject them again. */
  consume(): void
}

/** @param given the page's, as old as the visit; a page from the back/forward cache loads again and gets its own */
export function optionsAtHand(given: AuthenticationOptions | null): OptionsAtHand {
  let options = given
  let madeAt = performance.timeOrigin
  // Old in both directions, because somebody can set a clock back; old also if the browser hides the page's age.
  const isOld = () => !(Math.abs(Date.now() - madeAt) < maxAge)
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
