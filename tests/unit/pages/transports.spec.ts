import { expect, test } from 'playwright/test'
import { isSecurityKey } from '@/lib/api/transports'

test('a security key is what is plugged in or held to a reader, and neither a phone nor this device', () => {
  for (const transports of [['usb'], ['nfc'], ['usb', 'nfc'], ['ble'], ['smart-card', 'usb']])
    expect(isSecurityKey(transports), transports.join()).toBe(true)
  for (const transports of [[], ['internal'], ['hybrid'], ['hybrid', 'internal'], ['nfc', 'hybrid'], ['cable', 'ble']])
    expect(isSecurityKey(transports), transports.join()).toBe(false)
})
