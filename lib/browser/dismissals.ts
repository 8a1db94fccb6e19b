/*
 * What the person said "Not now" to, for as long as the tab lives. A browser may refuse to keep anything; then it is asked again.
 */

const keyOf = (accountId: string, what: string) => `dismissed/${accountId}/${what}`

/** Does not ask this person for this again in this tab. */
export function dismiss(accountId: string, what: string): void {
  try {
    sessionStorage.setItem(keyOf(accountId, what), 'yes')
  } catch {
    // The suggestion is gone from this page all the same.
  }
}

export function isDismissed(accountId: string, what: string): boolean {
  try {
    return sessionStorage.getItem(keyOf(accountId, what)) !== null
  } catch {
    return false
  }
}
