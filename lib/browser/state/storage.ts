/* Keeps a tab's data across its pages, in sessionStorage, which throws where it is full or forbidden. */

/** @returns whether it is kept */
export function keepInTab(key: string, value: string): boolean {
  try {
    sessionStorage.setItem(key, value)
    return true
  } catch {
    return false
  }
}

export function readFromTab(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

export function removeFromTab(key: string): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // A browser that throws here has kept nothing, either.
  }
}

/** Makes a value of this page, whose `get` and `subscribe` are for `useSyncExternalStore`. */
export function pageState<T>(value: T) {
  let current = value
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set(next: T): void {
      current = next
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/* Remembers dismissed suggestions while the tab is open. Without storage they come back on the next page. */

const keyOf = (accountId: string, what: string) => `latchkey.dismissed/${accountId}/${what}`

export function dismiss(accountId: string, what: string): void {
  keepInTab(keyOf(accountId, what), 'yes')
}

export const isDismissed = (accountId: string, what: string): boolean => readFromTab(keyOf(accountId, what)) !== null

/*
 * Remembers that a passkey of another device (a phone or a security key) signed in to this tab, so that the profile can suggest
 * one for this device. Without storage, the profile suggests nothing.
 */
const crossDeviceKey = 'latchkey.cross-device-passkey'

export function rememberCrossDevice(credentialId: string): void {
  keepInTab(crossDeviceKey, credentialId)
}

export const crossDevicePasskey = (): string | null => readFromTab(crossDeviceKey)

export const forgetCrossDevice = (): void => removeFromTab(crossDeviceKey)
