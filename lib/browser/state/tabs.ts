/*
 * Messages between the open pages of this site in one browser. They share the session cookie, but no memory and no
 * sessionStorage.
 */

export type TabMessage = { type: 'step-up'; token: string; at: number } | { type: 'step-up-wanted' | 'signed-out' }

let opened: BroadcastChannel | null | undefined

/** Returns the page's one channel, since a channel does not hear its own messages. Null in browsers without channels. */
function channel(): BroadcastChannel | null {
  if (opened !== undefined) return opened
  try {
    opened = new BroadcastChannel('latchkey')
  } catch {
    // Old browsers lack channels, and some throw where the person forbids cookies.
    opened = null
  }
  return opened
}

/** Sends a message to the other tabs. Has no effect where that is not possible. */
export function postToTabs(message: TabMessage): void {
  channel()?.postMessage(message)
}

/** @returns stops listening */
export function listenToTabs(onMessage: (message: TabMessage) => void): () => void {
  const listen = ({ data }: MessageEvent) => {
    if (isTabMessage(data)) onMessage(data)
  }
  channel()?.addEventListener('message', listen)
  return () => channel()?.removeEventListener('message', listen)
}

/** A fork may use the channel's name for something else. */
function isTabMessage(data: Partial<Record<string, unknown>> | null | undefined): data is TabMessage {
  if (data?.type === 'step-up') return typeof data.token === 'string' && Number.isFinite(data.at)
  return data?.type === 'step-up-wanted' || data?.type === 'signed-out'
}
