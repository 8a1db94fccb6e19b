/*
 * Which passkey of another device (a phone by QR code, a security key) this tab was signed in with, so that the profile can offer to make one
 * here. Storage may be full or forbidden, and then nothing is offered.
 */
const key = 'latchkey.cross-device-passkey'

/** Remembers the passkey of another device that just signed in, for as long as this tab is open. */
export function rememberCrossDevice(credentialId: string): void {
  quietly(() => sessionStorage.setItem(key, credentialId))
}

/** The passkey of another device that this tab was signed in with, or null. */
export function crossDevicePasskey(): string | null {
  return quietly(() => sessionStorage.getItem(key)) ?? null
}

/** Forgets it: it was answered, or somebody signed in another way. */
export function forgetCrossDevice(): void {
  quietly(() => sessionStorage.removeItem(key))
}

function quietly<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}
