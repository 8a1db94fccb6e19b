import { browserSupportsWebAuthnAutofill, startAuthentication, WebAuthnAbortService } from '@simplewebauthn/browser'
import type { AuthenticationOptions } from '@/lib/api/schemas'
import { connectionFailure } from '../failures/connection'
import type { Outcome } from '../failures/outcomes'
import { capability } from '../passkeys/capabilities'
import { canOfferImmediately, requestImmediately } from '../passkeys/immediate'
import type { OptionsAtHand } from '../passkeys/options-at-hand'
import { duringPrompt } from '../passkeys/prompt'

/*
 * What /signin loads before anything is pressed: the offer in autofill, the prompt, which must open during the press, and
 * the failure shown when the server cannot be reached. The actions are loaded on the first press.
 */

const load = () => import('./sign-in-actions')

type Actions = Awaited<ReturnType<typeof load>>

async function withActions(
  run: (actions: Actions) => Promise<Outcome>,
  giveUp: () => void = () => undefined,
): Promise<Outcome> {
  const actions = await load().catch(giveUp)
  return actions ? run(actions) : connectionFailure()
}

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
  const request = load().then((actions) => actions.postRememberedUsername(remember))
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
  const authenticated = authenticateWith(atHand, async (optionsJSON) => {
    const immediately = fromHere && (await canOfferImmediately())
    pressed.signal.throwIfAborted()
    return immediately
      ? requestImmediately(optionsJSON)
      : duringPrompt(() => startAuthentication({ optionsJSON }), { late: 'closed' })
  })
  // The actions describe a rejection; if they cannot be loaded, nothing else handles it.
  authenticated.catch(() => undefined)
  return withActions(
    (actions) => actions.postResponse(authenticated),
    () => {
      pressed.abort()
      WebAuthnAbortService.cancelCeremony()
    },
  )
}

/** How long to wait for a password manager that replaces the browser's prompts to end a withdrawn offer, in milliseconds. */
const withdrawalTimeout = 500

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Withdraws the open offer in autofill. Resolves once there is none, because two ceremonies at once are an error. */
let withdrawOffer = () => Promise.resolve()

export const canAutofillPasskeys = async () => (await capability('conditionalGet')) !== 'unsupported'

/**
 * Offers passkeys in the username's autofill, and signs in when one is picked (conditional mediation, WebAuthn Level 3,
 * section 5.1.4).
 *
 * @param signal withdraws the offer; has no effect once a passkey was picked
 * @param onPicked called before the request that signs in
 */
export async function offerPasskeys(
  atHand: OptionsAtHand,
  signal: AbortSignal,
  onPicked: () => void,
): Promise<Outcome> {
  const authenticated = authenticateWith(atHand, (optionsJSON) => {
    signal.throwIfAborted()
    const response = startAuthentication({ optionsJSON, useBrowserAutofill: true })
    // SimpleWebAuthn awaits this check before it has an abort signal, so cancelling earlier has no effect. Ours starts later and
    // so resolves later.
    const made = browserSupportsWebAuthnAutofill().catch(() => false)
    keepOffer(response, made, signal)
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

function keepOffer(response: Promise<unknown>, made: Promise<unknown>, signal: AbortSignal): void {
  let open = true
  const end = () => {
    open = false
  }
  const ended = response.then(end, end)
  withdrawOffer = async () => {
    await made
    // Once it has ended, this would cancel the next ceremony.
    if (open) WebAuthnAbortService.cancelCeremony()
    return ended
  }
  signal.addEventListener('abort', withdrawOffer, { once: true })
}

/** Runs a ceremony with the options at hand, or else with fresh ones. */
async function authenticateWith<T>(atHand: OptionsAtHand, ceremony: (options: AuthenticationOptions) => Promise<T>) {
  const options = atHand.get() ?? atHand.keep(await (await load()).fetchOptions())
  try {
    const response = await ceremony(options)
    atHand.consume()
    return { options, response }
  } catch (error) {
    // A withdrawn offer has not used its options: the prompt that replaces it does.
    if (!(error instanceof Error && error.name === 'AbortError')) atHand.consume()
    throw error
  }
}
