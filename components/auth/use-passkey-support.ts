'use client'

import { useClientPromise, useClientValue } from '@/components/ui/use-client-value'
import type { Site } from '@/lib/api/site'
import { canStoreWithoutSecurityKey } from '@/lib/browser/passkeys/capabilities'
import { passkeyUnsupportedReason } from '@/lib/browser/passkeys/support'

/** Says why passkeys don't work on this page; null if they do; undefined until hydration. */
export const usePasskeySupport = (site: Site): string | null | undefined =>
  useClientValue<string | null | undefined>(() => passkeyUnsupportedReason(site), unknown)

const unknown = () => undefined

/** True once the browser reports that only a security key can store a passkey. */
export const useSecurityKeysOnly = () => !useClientPromise(canStoreWithoutSecurityKey, true)
