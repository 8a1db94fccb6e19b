/* Whether the page's session has ended: whatever then shows something private shows nothing until the page has gone. */

let ended = false
const listeners = new Set<() => void>()

export const hasSessionEnded = () => ended

export function endSession(): void {
  ended = true
  for (const listener of listeners) listener()
}

export function subscribeToSessionEnd(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
