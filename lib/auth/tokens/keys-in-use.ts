import { asyncSingleton } from '@/lib/process/singleton'
import { secretsInUse } from '@/lib/settings/secret/secrets-in-use'

/** Derived once per process: JWT_SECRET's key, which signs, then JWT_SECRET_PREVIOUS's, which only verifies. */
export const keysInUse = <Key>(name: string, derive: (secret: Uint8Array) => Promise<Key>) =>
  asyncSingleton(name, async (): Promise<[Key, ...Key[]]> => {
    const [current, ...previous] = secretsInUse()
    return [await derive(current), ...(await Promise.all(previous.map(derive)))]
  })
