import { ApiError } from '@/lib/api/errors'
import { settings } from '@/lib/settings/settings'
import { errorResponse } from './response'

const init = { headers: { 'X-Content-Type-Options': 'nosniff' } }

/** W3C, "A Well-Known URL for Changing Passwords". Without passwords there is none: managers then offer no such change. */
export function changePassword(): Response {
  if (!settings().passwords) return errorResponse(new ApiError('not_found'))
  return new Response(null, { status: 302, headers: { Location: '/profile#password' } })
}

/** W3C, "A Well-Known URL for Relying Party Passkey Endpoints". */
export function passkeyEndpoints(): Response {
  const page = `${settings().origins[0]}/passkeys`
  return Response.json({ enroll: page, manage: page }, init)
}

/** The other origins that may use our passkeys (WebAuthn level 3, section 5.11). */
export function relatedOrigins(): Response {
  const [, ...others] = settings().origins
  return Response.json({ origins: others }, init)
}
