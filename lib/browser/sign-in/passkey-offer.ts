import { WebAuthnAbortService } from '@simplewebauthn/browser'
import type { Outcome } from '../failures/outcomes'
import { getPasskey } from '../passkeys/credentials'
import type { OptionsAtHand } from '../passkeys/options-at-hand'
import { promptEnded } from '../passkeys/prompt'
import { authenticateAtHand, withActions } from './authenticate-at-hand'

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
