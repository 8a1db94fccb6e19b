/*
 * The account that a signed-in page shows. All tabs share the session cookie, so another tab may have signed in to a
 * different one: each call names this one, and the server does nothing for another.
 */

let shown: string | null = null

/** The id to send, or null on pages without an account. */
export const shownAccount = () => shown

/** @returns clears it again */
export function showAccount(id: string): () => void {
  shown = id
  return () => {
    shown = null
  }
}
