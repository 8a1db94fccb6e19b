import type { Passkey } from '@/lib/api/schemas'

/** What keeps a passkey, where its provider is not known by name. */
export function keeperOf({ backedUp, transports }: Pick<Passkey, 'backedUp' | 'transports'>) {
  if (backedUp) return 'passwordManager'
  // One that is plugged in or held to a reader, and no phone, which has a way by radio as well.
  const isSecurityKey =
    transports.some((way) => ['usb', 'nfc'].includes(way)) &&
    !transports.some((way) => ['internal', 'hybrid'].includes(way))
  return isSecurityKey ? 'securityKey' : 'device'
}
