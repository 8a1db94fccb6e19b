import { keepInTab, readFromTab, removeFromTab } from '../state/tab-storage'

/*
 * The passkey of another device (a phone or a security key) that signed in to this tab, so that the profile can suggest
 * one for this device. Without storage, nothing is suggested.
 */
const key = 'latchkey.cross-device-passkey'

export function rememberCrossDevice(credentialId: string): void {
  keepInTab(key, credentialId)
}

export const crossDevicePasskey = (): string | null => readFromTab(key)

export const forgetCrossDevice = (): void => removeFromTab(key)
