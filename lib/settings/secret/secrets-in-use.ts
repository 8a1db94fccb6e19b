import { singleton } from '@/lib/process/singleton'
import { settings } from '../settings'
import { deriveKey } from './derive-key'

/** JWT_SECRET, then JWT_SECRET_PREVIOUS, which only verifies, opens and recognizes. */
export function secretsInUse(): [Uint8Array, ...Uint8Array[]] {
  const { secret, previousSecret } = settings()
  return previousSecret ? [secret, previousSecret] : [secret]
}

/** The keys of one purpose, in this order. */
export const derivedKeys = (info: string) =>
  singleton(`derived-keys/${info}`, () => {
    const [current, ...previous] = secretsInUse()
    return [deriveKey(current, info), ...previous.map((secret) => deriveKey(secret, info))] as const
  })
