/** How a prompt ended without a passkey. Browsers report all of these as NotAllowedError. */
export type PromptEnd = 'closed' | 'not_created' | 'key_not_used' | 'no_prompt' | 'none_here'

export class PromptError extends Error {
  override readonly name = 'PromptError'
  readonly end: PromptEnd

  constructor(end: PromptEnd, cause: unknown) {
    super(end, { cause })
    this.end = end
  }
}

/** Nobody closes a prompt this soon after it opened, in milliseconds: webviews and locked password managers open none. */
const fast = 300

let open = false
const listeners = new Set<() => void>()

function setOpen(now: boolean): void {
  open = now
  for (const listener of listeners) listener()
}

/** Whether the page waits for a device. With `subscribeToPrompt` for `useSyncExternalStore`. */
export const isPromptOpen = () => open

export function subscribeToPrompt(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
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
  const asked = performance.now()
  setOpen(true)
  try {
    return await ceremony()
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'NotAllowedError') throw error
    throw new PromptError(performance.now() - asked < fast ? quickly : slowly, error)
  } finally {
    setOpen(false)
  }
}
