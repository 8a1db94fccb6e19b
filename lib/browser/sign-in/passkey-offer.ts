import { WebAuthnAbortService } from '@simplewebauthn/browser'
import type { AuthenticationOptions } from '@/lib/api/schemas'
import { loadScript } from '../failures/connection'
import { type Outcome, PromptError } from '../failures/outcomes'
import { canAutofillPasskeys } from '../passkeys/capabilities'
import { getPasskey } from '../passkeys/credentials'
import { promptEnded } from '../passkeys/prompt'

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

/** Loads the requests of /signin, for a press, or once the page's own options are too old. */
export const loadActions = () => import('./sign-in-actions')

export type Actions = Awaited<ReturnType<typeof loadActions>>

/** @param giveUp runs if they do not load */
export async function withActions(
  run: (actions: Actions) => Promise<Outcome>,
  giveUp: () => void = () => undefined,
): Promise<Outcome> {
  const loaded = await loadScript(loadActions)
  if ('script' in loaded) return run(loaded.script)
  giveUp()
  return loaded.failure
}

/** Runs a ceremony with the options at hand, or else with fresh ones. */
export async function authenticateAtHand<T>(
  atHand: OptionsAtHand,
  ceremony: (options: AuthenticationOptions) => Promise<T>,
) {
  const options = atHand.get() ?? atHand.keep(await (await loadActions()).fetchOptions())
  try {
    const response = await ceremony(options)
    atHand.consume()
    return { options, response }
  } catch (error) {
    // The prompt that replaces it uses the options.
    if (!isWithdrawn(error)) atHand.consume()
    throw error
  }
}

/** True if the page ended the ceremony: an offer, or a prompt that the person cancelled. */
const isWithdrawn = (error: unknown) =>
  error instanceof PromptError ? error.end === 'cancelled' : error instanceof Error && error.name === 'AbortError'

/** Withdraws the open offer in autofill. Resolves once there is none, since browsers reject two ceremonies at once. */
let withdraw = () => Promise.resolve()

export const withdrawOffer = () => withdraw()

/**
 * Offers passkeys in the username's autofill, and signs in with the one that the person picks (conditional mediation, WebAuthn
 * Level 3, section 5.1.4).
 *
 * @param signal withdraws the offer, without effect once the person has picked a passkey
 * @param onPicked runs before the request that signs in
 */
export async function offerPasskeys(
  atHand: OptionsAtHand,
  signal: AbortSignal,
  onPicked: () => void,
): Promise<Outcome> {
  const authenticated = authenticateAtHand(atHand, async (optionsJSON) => {
    await promptEnded()
    signal.throwIfAborted()
    const response = getPasskey(optionsJSON, 'conditional')
    keepOffer(response, signal)
    return response
  })
  return authenticated.then(
    (result) => {
      onPicked()
      return withActions((actions) => actions.postResponse(Promise.resolve(result)))
    },
    // The person has not started anything, so there is no failure to show.
    () => ({ cancelled: 'closed' }),
  )
}

function keepOffer(response: Promise<unknown>, signal: AbortSignal): void {
  let open = true
  const end = () => {
    open = false
  }
  const ended = response.then(end, end)
  withdraw = async () => {
    // Only while it is open: later, this would cancel the next ceremony.
    if (open) WebAuthnAbortService.cancelCeremony()
    return ended
  }
  signal.addEventListener('abort', withdraw, { once: true })
}

/** How often it checks the options' age: timers pause while a machine sleeps, so one long timer would fire too late. */
const checkEvery = 20_000
/** A browser that rejects this many offers in a row, each at once, will reject the next one too. */
const maxRejectedOffers = 4

interface Listener {
  onPicked(): void
  /** Runs at most once, after the person picked a passkey. The listener starts the next offer. */
  onOutcome(outcome: Outcome): void
}

/**
 * Keeps offering passkeys in autofill while the page is open: again after a rejected offer, and before a challenge expires.
 *
 * @returns a function that stops offering, without effect once the person has picked a passkey
 */
export function keepOfferingPasskeys(options: OptionsAtHand, listener: Listener): () => void {
  let offer = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let offeredAt = 0
  let rejectedOffers = 0
  let picked: AbortController | null = null

  function onPicked(current: AbortController) {
    picked = current
    stop()
    listener.onPicked()
  }
  async function renew() {
    clearTimeout(timer)
    offer.abort()
    const current = new AbortController()
    offer = current
    offeredAt = Date.now()
    const outcome = await offerPasskeys(options, current.signal, () => onPicked(current))
    if (picked === current) listener.onOutcome(outcome)
    else if (!current.signal.aborted) retry()
  }
  function retry() {
    clearTimeout(timer)
    rejectedOffers = Date.now() - offeredAt < 2000 ? rejectedOffers + 1 : 0
    if (rejectedOffers < maxRejectedOffers) timer = setTimeout(renew, 500 * 2 ** rejectedOffers)
  }
  // Background tabs do not renew, to save the server the work until the tab is visible again.
  function renewIfStale() {
    if (offeredAt && !document.hidden && options.isOld()) renew()
  }
  function stop() {
    clearTimeout(timer)
    clearInterval(checks)
    document.removeEventListener('visibilitychange', renewIfStale)
    offer.abort()
  }

  const checks = setInterval(renewIfStale, checkEvery)
  document.addEventListener('visibilitychange', renewIfStale)
  canAutofillPasskeys().then((can) => {
    if (can && !offer.signal.aborted) renew()
  })
  return stop
}
