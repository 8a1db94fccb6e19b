import { type AuthenticationResponseJSON, WebAuthnAbortService } from '@simplewebauthn/browser'
import type { AuthenticationOptions } from '@/lib/api/schemas'
import { type PromptEnd, PromptError } from '../failures/outcomes'
import { pageState } from '../state/storage'
import { capability, mayHave } from './capabilities'
import { decodeRequest, getResponse } from './credentials'

/** Nobody closes a prompt this soon after it opened, in milliseconds: webviews and locked password managers open none. */
const shortestPrompt = 300

interface OpenPrompt {
  cancel(): void
}

/** The last prompt's ceremony, which may outlast the prompt: browsers take a moment to abort one. */
let lastCeremony: Promise<unknown> = Promise.resolve()

/** How many milliseconds it waits for the end of a ceremony, which a broken extension's never reaches. */
const longestEnding = 500

/** Resolves once another ceremony may start, because two at once are an error. */
export const promptEnded = () =>
  Promise.race([lastCeremony, new Promise((resolve) => setTimeout(resolve, longestEnding))])

const openPrompt = pageState<OpenPrompt | null>(null)

/** True while the page waits for a device. Goes with `subscribeToPrompt` into `useSyncExternalStore`. */
export const isPromptOpen = () => openPrompt.get() !== null

export const subscribeToPrompt = openPrompt.subscribe

/** Ends the open prompt as `cancelled`. @returns whether there was one */
export function cancelPrompt(): boolean {
  const prompt = openPrompt.get()
  prompt?.cancel()
  return prompt !== null
}

/**
 * Runs the browser's part of a ceremony that opens a prompt.
 *
 * @param meaning of NotAllowedError: `late`, after a while, and `atOnce`, right after the request for a prompt
 * @throws PromptError in place of NotAllowedError
 */
export async function duringPrompt<T>(
  ceremony: () => Promise<T>,
  { late, atOnce = 'no_prompt' }: { late: PromptEnd; atOnce?: PromptEnd },
): Promise<T> {
  cancelPrompt()
  const start = performance.now()
  const cancellation = new AbortController()
  const prompt: OpenPrompt = {
    cancel() {
      openPrompt.set(null)
      cancellation.abort(new PromptError('cancelled'))
      WebAuthnAbortService.cancelCeremony()
    },
  }
  openPrompt.set(prompt)
  // A race, because a broken extension's prompt never ends, whoever aborts it.
  const cancelled = new Promise<never>((_, reject) => {
    cancellation.signal.addEventListener('abort', () => reject(cancellation.signal.reason))
  })
  const running = ceremony()
  lastCeremony = running.catch(() => undefined)
  try {
    return await Promise.race([running, cancelled])
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'NotAllowedError') throw error
    throw new PromptError(performance.now() - start < shortestPrompt ? atOnce : late, error)
  } finally {
    if (openPrompt.get() === prompt) openPrompt.set(null)
  }
}

/**
 * True if the browser can offer this device's passkeys and no others. False on a device that says it stores none: people use a
 * security key there, which should not need a second press.
 */
export const canOfferImmediately = async () =>
  (await capability('immediateGet')) === 'supported' && mayHave('passkeyPlatformAuthenticator')

/**
 * Offers the passkeys of this device (`uiMode: 'immediate'`, WebAuthn pull request 2291). Browsers allow it right after a press
 * only, without a list of passkeys and without an abort signal: otherwise a page could find out in silence which passkeys there
 * are.
 *
 * @throws PromptError `none_here` if there is none, or the person chose none
 */
export function requestImmediately(options: AuthenticationOptions): Promise<AuthenticationResponseJSON> {
  const { challenge, rpId, userVerification } = options
  const publicKey = decodeRequest({ challenge, rpId, userVerification })
  const immediate: CredentialRequestOptions & { uiMode: 'immediate' } = { publicKey, uiMode: 'immediate' }
  return duringPrompt(() => getResponse(immediate), { late: 'none_here', atOnce: 'none_here' })
}
