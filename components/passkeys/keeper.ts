import type { Passkey } from '@/lib/api/schemas'
import { isSecurityKey } from '@/lib/api/transports'

/** What keeps a passkey, where its provider is not known by name. */
export function keeperOf({ backedUp, transports }: Pick<Passkey, 'backedUp' | 'transports'>) {
  if (backedUp) return 'passwordManager'
  return isSecurityKey(transports) ? 'securityKey' : 'device'
}
