/*
 * How the browser reaches an authenticator (WebAuthn Level 3, section 5.8.4). Unverified, so they decide only what a person
 * is shown, and where browsers look first.
 */

/** Built into the device of the browser that reports it. */
export const isPlatform = (transports: string[]) => transports.includes('internal')

/** Reached from another device by radio, as a phone is. `cable` is its older name. */
export const isPhone = (transports: string[]) => transports.includes('hybrid') || transports.includes('cable')

/** Plugged in or held to a reader, which neither a phone's passkeys nor a device's own are. */
export const isSecurityKey = (transports: string[]) =>
  transports.some((way) => ['usb', 'nfc', 'ble', 'smart-card'].includes(way)) &&
  !isPlatform(transports) &&
  !isPhone(transports)
