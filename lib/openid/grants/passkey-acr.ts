import { referenceOf } from '@/lib/auth/tokens/method-references'

/** Phishing-resistant (OpenID Connect Extended Authentication Profile, section 2). */
export const acrOfPasskeys = 'phr'

export const isByPasskey = (amr: readonly string[]) => amr.includes(referenceOf('passkey'))
