/* What a tab keeps across its pages, in sessionStorage, which throws where it is full or forbidden. */

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
    // Nothing could be kept, either.
  }
}
