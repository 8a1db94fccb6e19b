import { WebAuthnAbortService } from '@simplewebauthn/browser'
import { type PromptEnd, PromptError } from '../failures/errors'

/** Nobody closes a prompt this soon after it opened, in milliseconds: webviews and locked password managers open none. */
const fast = 300

/** Ends the open prompt; null while none is open. */
let cancel: (() => void) | null = null
const listeners = new Set<() => void>()

function setOpen(how: typeof cancel): void {
  cancel = how
  for (const listener of listeners) listener()
}

/** Whether the page waits for a device. With `subscribeToPrompt` for `useSyncExternalStore`. */
export const isPromptOpen = () => cancel !== null

export function subscribeToPrompt(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Ends the open prompt as `cancelled`. @returns whether there was one */
export function cancelPrompt(): boolean {
  const end = cancel
  end?.()
  return end !== null
}

/**
 * Runs the browser's part of a ceremony that opens a prompt.
 *
 * @param slowly what NotAllowedError means after a while
 * @param quickly what it means right after the prompt was requested
 * @throws PromptError in place of NotAllowedError
 */
export async function duringPrompt<T>(
  ceremony: () => Promise<T>,
  slowly: PromptEnd,
  quickly: PromptEnd = 'no_prompt',
): Promise<T> {
  cancelPrompt()
  const asked = performance.now()
  const page = new AbortController()
  function stop() {
    setOpen(null)
    page.abort(new PromptError('cancelled'))
    WebAuthnAbortService.cancelCeremony()
  }
  setOpen(stop)
  // Raced: a broken extension's prompt never ends, whoever aborts it.
  const cancelled = new Promise<never>((_, reject) => {
    page.signal.addEventListener('abort', () => reject(page.signal.reason))
  })
  try {
    return await Promise.race([ceremony(), cancelled])
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'NotAllowedError') throw error
    throw new PromptError(performance.now() - asked < fast ? quickly : slowly, error)
  } finally {
    if (cancel === stop) setOpen(null)
  }
}
