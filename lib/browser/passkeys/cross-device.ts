/*
 * The passkey of another device (a phone or a security key) that signed in to this tab, so that the profile can suggest
 * one for this device. Without storage, nothing is suggested.
 */
const key = 'latchkey.cross-device-passkey'

export function rememberCrossDevice(credentialId: string): void {
  quietly(() => sessionStorage.setItem(key, credentialId))
}

export function crossDevicePasskey(): string | null {
  return quietly(() => sessionStorage.getItem(key)) ?? null
}

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
