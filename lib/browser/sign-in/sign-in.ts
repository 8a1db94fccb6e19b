import type { Outcome } from '../failures/outcomes'
import { getPasskey } from '../passkeys/credentials'
import type { OptionsAtHand } from '../passkeys/options-at-hand'
import { cancelPrompt, canOfferImmediately, duringPrompt, requestImmediately } from '../passkeys/prompt'
import { type Actions, authenticateAtHand, loadActions, withActions } from './authenticate-at-hand'
import { withdrawOffer } from './passkey-offer'

/*
 * What /signin loads before anything is pressed: the offer in autofill, the prompt, which must open during the press, and
 * the failure shown when the server cannot be reached. The actions are loaded when they are first needed.
 */

/** Signs in with a password. */
export const signInWithPassword = (...given: Parameters<Actions['postPassword']>) =>
  withActions((actions) => actions.postPassword(...given))

/** Signs in with a recovery code, which is then used up. */
export const signInWithRecoveryCode = (...given: Parameters<Actions['postRecoveryCode']>) =>
  withActions((actions) => actions.postRecoveryCode(...given))

/** In milliseconds. */
const rememberTimeout = 2_000

/** Has this browser remember the username for the next sign-in, or no longer. Neither a failure nor a request that hangs keeps the person on the page. */
export function rememberUsername(remember: boolean): Promise<unknown> {
  const request = loadActions().then((actions) => actions.postRememberedUsername(remember))
  return Promise.race([request.catch(() => null), pause(rememberTimeout)])
}

/**
 * Signs in with a passkey, when a button is pressed.
 *
 * @param fromHere offers this device's passkeys first, if the browser can report that there are none; otherwise its usual
 *   prompt opens, which also takes a phone or a security key
 */
export async function signInWithPasskey(atHand: OptionsAtHand, { fromHere }: { fromHere: boolean }): Promise<Outcome> {
  await Promise.race([withdrawOffer(), pause(withdrawalTimeout)])
  const pressed = new AbortController()
  const authenticated = authenticateAtHand(atHand, async (optionsJSON) => {
    const immediately = fromHere && (await canOfferImmediately())
    pressed.signal.throwIfAborted()
    return immediately
      ? requestImmediately(optionsJSON)
      : duringPrompt(() => getPasskey(optionsJSON), { late: 'closed' })
  })
  // The actions describe a rejection; if they cannot be loaded, nothing else handles it.
  authenticated.catch(() => undefined)
  return withActions(
    (actions) => actions.postResponse(authenticated),
    () => {
      pressed.abort()
      cancelPrompt()
    },
  )
}

/** How long to wait for a password manager that replaces the browser's prompts to end a withdrawn offer, in milliseconds. */
const withdrawalTimeout = 500

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
