import { referenceOf } from '@/lib/auth/tokens/method-references'

/** Phishing-resistant (OpenID Connect Extended Authentication Profile, section 2). */
export const acrOfPasskeys = 'phr'

/** A password over TLS (SAML 2.0 Authentication Context, section 3.4.8), as other providers name it. */
export const acrOfPasswords = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'

export const acrValues: readonly string[] = [acrOfPasskeys, acrOfPasswords]

/** The `acr` of who signed in by these methods; undefined for a recovery code. */
export function acrOf(amr: readonly string[]): string | undefined {
  if (isByPasskey(amr)) return acrOfPasskeys
  return amr.includes(referenceOf('pwd')) ? acrOfPasswords : undefined
}

export const isByPasskey = (amr: readonly string[]) => amr.includes(referenceOf('passkey'))
