import { WebAuthnAbortService } from '@simplewebauthn/browser'
import { type PromptEnd, PromptError } from '../failures/errors'
import { pageState } from '../state/page-state'

/** Nobody closes a prompt this soon after it opened, in milliseconds: webviews and locked password managers open none. */
const fast = 300

/** Ends the open prompt; null while none is open. */
const cancel = pageState<(() => void) | null>(null)

/** Whether the page waits for a device. With `subscribeToPrompt` for `useSyncExternalStore`. */
export const isPromptOpen = () => cancel.get() !== null

export const subscribeToPrompt = cancel.subscribe

/** Ends the open prompt as `cancelled`. @returns whether there was one */
export function cancelPrompt(): boolean {
  const end = cancel.get()
  end?.()
  return end !== null
}

/**
 * Runs the browser's part of a ceremony that opens a prompt.
 *
 * @param meaning `end`: what NotAllowedError means after a while; `endAtOnce`: what it means right after the prompt was requested
 * @throws PromptError in place of NotAllowedError
 */
export async function duringPrompt<T>(
  ceremony: () => Promise<T>,
  { end, endAtOnce = 'no_prompt' }: { end: PromptEnd; endAtOnce?: PromptEnd },
): Promise<T> {
  cancelPrompt()
  const start = performance.now()
  const page = new AbortController()
  function stop() {
    cancel.set(null)
    page.abort(new PromptError('cancelled'))
    WebAuthnAbortService.cancelCeremony()
  }
  cancel.set(stop)
  // Raced: a broken extension's prompt never ends, whoever aborts it.
  const cancelled = new Promise<never>((_, reject) => {
    page.signal.addEventListener('abort', () => reject(page.signal.reason))
  })
  try {
    return await Promise.race([ceremony(), cancelled])
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'NotAllowedError') throw error
    throw new PromptError(performance.now() - start < fast ? endAtOnce : end, error)
  } finally {
    if (cancel.get() === stop) cancel.set(null)
  }
}
