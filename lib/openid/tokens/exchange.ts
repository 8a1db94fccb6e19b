import { hash } from 'node:crypto'
import { OAuthError } from '@/lib/api/oauth-errors'
import { includesOfflineAccess } from '../grants/scopes'
import { consumeCode, invalidCode } from '../issued/codes'
import { startFamily } from '../issued/families'
import { findIssuedCode, type IssuedCode } from '../issued/issued-code'
import type { Exchanged, TokenRequest } from './token-request'

/** RFC 6749 section 4.1.3. The code is consumed before it is checked, so that a thief has one attempt. */
export async function exchangeCode({ body, app, context }: TokenRequest): Promise<Exchanged> {
  const { code, redirect_uri, code_verifier } = body
  if (code === undefined) throw new OAuthError('invalid_request', 'code is missing.')
  const issued = await findIssuedCode(await consumeCode(code, app, context), { isWinner: true })
  if (!issued || !isInTime(issued)) throw invalidCode()
  if (issued.redirectUri !== redirect_uri)
    throw new OAuthError('invalid_grant', 'The redirect_uri is not the one of the authorization request.')
  if (!isVerified(issued, code_verifier))
    throw new OAuthError('invalid_grant', 'The code_verifier is not that of the code_challenge.')
  if (!includesOfflineAccess(issued.scopes)) return { issued, refreshToken: null }
  const refreshToken = await startFamily(issued)
  // It was ended meanwhile.
  if (refreshToken === null) throw invalidCode()
  return { issued, refreshToken }
}

const isInTime = (issued: IssuedCode) => issued.validUntil > Date.now()

/** RFC 7636 section 4.6. A verifier without a challenge is a request whose challenge was removed (RFC 9700 section 2.1.1). */
function isVerified({ challenge }: IssuedCode, verifier: string | undefined): boolean {
  if (challenge === null) return verifier === undefined
  return (
    verifier !== undefined && /^[\w.~-]{43,128}$/.test(verifier) && hash('sha256', verifier, 'base64url') === challenge
  )
}
