import type { Outcome } from '../failures/outcomes'
import { getPasskey } from '../passkeys/credentials'
import { cancelPrompt, canOfferImmediately, duringPrompt, requestImmediately } from '../passkeys/prompt'
import {
  type Actions,
  authenticateAtHand,
  loadActions,
  type OptionsAtHand,
  withActions,
  withdrawOffer,
} from './passkey-offer'

/*
 * The part of /signin that loads before the first press: the offer in autofill, the prompt, which must open during the press,
 * and the failure of an unreachable server. The actions load when the page first needs them.
 */

/** Signs in with a password. */
export const signInWithPassword = (...given: Parameters<Actions['postPassword']>) =>
  withActions((actions) => actions.postPassword(...given))

/** Signs in with a recovery code, and uses it up. */
export const signInWithRecoveryCode = (...given: Parameters<Actions['postRecoveryCode']>) =>
  withActions((actions) => actions.postRecoveryCode(...given))

/** The time for the request that remembers a username, in milliseconds. */
const rememberTimeout = 2_000

/** Makes this browser remember the username for the next sign-in. No failure and no hanging request keeps the person here. */
export function rememberUsername(): Promise<unknown> {
  const request = loadActions().then((actions) => actions.postRememberedUsername())
  return Promise.race([request.catch(() => null), pause(rememberTimeout)])
}

/**
 * Signs in with a passkey, after the press of a button.
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
  // The actions describe a rejection; if they do not load, nothing else handles it.
  authenticated.catch(() => undefined)
  return withActions(
    (actions) => actions.postResponse(authenticated),
    () => {
      pressed.abort()
      cancelPrompt()
    },
  )
}

/** How many milliseconds a password manager that replaces the browser's prompts has to end a withdrawn offer. */
const withdrawalTimeout = 500

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
