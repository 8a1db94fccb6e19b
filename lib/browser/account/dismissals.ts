/* Dismissed suggestions, for as long as the tab is open. Without storage they come back on the next page. */

const keyOf = (accountId: string, what: string) => `dismissed/${accountId}/${what}`

export function dismiss(accountId: string, what: string): void {
  try {
    sessionStorage.setItem(keyOf(accountId, what), 'yes')
  } catch {
    // Storage is full or forbidden.
  }
}

export function isDismissed(accountId: string, what: string): boolean {
  try {
    return sessionStorage.getItem(keyOf(accountId, what)) !== null
  } catch {
    return false
  }
}
