import type { Outcome } from '@/lib/browser/errors'
import { canAutofillPasskeys, offerPasskeys } from '@/lib/browser/sign-in'

/** A challenge lives 10 minutes; an offer older than this is made anew, so that nobody picks a passkey for a dead one. */
const maxAge = 8 * 60_000
/** How often that is checked. Timers stand still while a machine sleeps, so one long timer would come too late. */
const checkEvery = 20_000
/** A browser that refuses this many offers at once will refuse the next one too. */
const maxRejectedOffers = 4

interface Listener {
  onPicked(): void
  /** Called at most once, after a passkey was picked. Whoever listens starts the next offer. */
  onOutcome(outcome: Outcome): void
}

/**
 * Keeps an offer of passkeys standing for as long as the page waits: again after it was turned down, and afresh before its challenge
 * ages out, also when the tab was hidden or the machine asleep meanwhile.
 * @returns takes the offer back; without effect once a passkey is picked
 */
export function keepOfferingPasskeys(listener: Listener): () => void {
  let offer = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let madeAt = 0
  let rejectedOffers = 0
  let picked = false

  function onPicked() {
    picked = true
    stop()
    listener.onPicked()
  }
  async function renew() {
    clearTimeout(timer)
    offer.abort()
    const mine = new AbortController()
    offer = mine
    madeAt = Date.now()
    const outcome = await offerPasskeys(mine.signal, onPicked)
    if (picked) listener.onOutcome(outcome)
    else if (!mine.signal.aborted) retry()
  }
  function retry() {
    clearTimeout(timer)
    rejectedOffers = Date.now() - madeAt < 2000 ? rejectedOffers + 1 : 0
    if (rejectedOffers < maxRejectedOffers) timer = setTimeout(renew, 500 * 2 ** rejectedOffers)
  }
  // A tab in the background lets its offer go stale: it costs the server nothing until somebody looks at it again.
  function renewIfStale() {
    if (madeAt && !document.hidden && Math.abs(Date.now() - madeAt) >= maxAge) renew()
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
