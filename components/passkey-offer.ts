import type { Outcome } from '@/lib/client/failure'
import { canAutofillPasskeys, offerPasskeys } from '@/lib/client/sign-in'

/** A challenge lives 10 minutes; an offer older than this is made anew, so that nobody picks a passkey for a dead one. */
const maxAge = 8 * 60_000
/** A browser that refuses this many offers at once will refuse the next one too. */
const maxRefusals = 4

interface Listener {
  onPicked(): void
  /** Called at most once, after a passkey was picked. Whoever listens starts the next offer. */
  onOutcome(outcome: Outcome): void
}

/**
 * Keeps an offer of passkeys standing for as long as the page waits: again after it was turned down, and afresh before its challenge
 * ages out, also when the machine was asleep meanwhile (timers stand still then, so the tab's return is watched too).
 * @returns takes the offer back; without effect once a passkey is picked
 */
export function keepOfferingPasskeys(listener: Listener): () => void {
  let offer = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let madeAt = 0
  let refusals = 0
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
    timer = setTimeout(renewIfStale, maxAge)
    const outcome = await offerPasskeys(mine.signal, onPicked)
    if (picked) listener.onOutcome(outcome)
    else if (!mine.signal.aborted) retry()
  }
  function retry() {
    clearTimeout(timer)
    refusals = Date.now() - madeAt < 2000 ? refusals + 1 : 0
    if (refusals < maxRefusals) timer = setTimeout(renew, 500 * 2 ** refusals)
  }
  // A tab in the background lets its offer go stale: it costs the server nothing until somebody looks at it again.
  function renewIfStale() {
    if (!document.hidden && Date.now() - madeAt >= maxAge) renew()
  }
  function stop() {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', renewIfStale)
    offer.abort()
  }

  document.addEventListener('visibilitychange', renewIfStale)
  canAutofillPasskeys().then(
    (can) => {
      if (can && !offer.signal.aborted) renew()
    },
    () => undefined,
  )
  return stop
}
