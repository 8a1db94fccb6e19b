import { keepInTab, readFromTab } from '../state/tab-storage'

/* Dismissed suggestions, for as long as the tab is open. Without storage they come back on the next page. */

const keyOf = (accountId: string, what: string) => `latchkey.dismissed/${accountId}/${what}`

export function dismiss(accountId: string, what: string): void {
  keepInTab(keyOf(accountId, what), 'yes')
}

export const isDismissed = (accountId: string, what: string): boolean => readFromTab(keyOf(accountId, what)) !== null
