import type { Claims } from '@/lib/auth/tokens/tokens'

/** How somebody signed in, in the words of RFC 8176. */
export function amrOf({ amr: [method], uv }: Pick<Claims<'session'>, 'amr' | 'uv'>): string[] {
  if (method === 'passkey') return uv ? ['pop', 'mfa'] : ['pop']
  return [method === 'recovery' ? 'otp' : 'pwd']
}

/** Phishing-resistant (OpenID Connect Extended Authentication Profile, section 2). */
export const acrOfPasskeys = 'phr'

export const isByPasskey = (amr: readonly string[]) => amr.includes('pop')
