import type { Outcome } from '../failures/outcomes'
import { canAutofillPasskeys } from '../passkeys/capabilities'
import { type OptionsAtHand, offerPasskeys } from './passkey-offer'

/** Checks the options' age so often: timers pause while a machine sleeps, so one long timer would fire too late. */
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
