import { ApiError } from '@/lib/api/errors'
import type { AssetLinks, AssociatedApps, KeySet } from '@/lib/api/schemas'
import { accessKeys } from '@/lib/auth/tokens/access-keys'
import { publicKeys } from '@/lib/openid/keys/signing-keys'
import { isUnder } from '@/lib/settings/origins'
import { settings } from '@/lib/settings/settings'

/** W3C, "A Well-Known URL for Changing Passwords". Its row uses passwords: without them, managers must offer no change. */
export function redirectToChangePassword(): Response {
  return new Response(null, { status: 302, headers: { Location: '/profile#password' } })
}

/** W3C, "A Well-Known URL for Relying Party Passkey Endpoints". */
export function passkeyEndpoints(): Response {
  const page = `${settings().origins[0]}/passkeys`
  return Response.json({ enroll: page, manage: page })
}

/** WebAuthn level 3, section 5.11. Browsers fetch it at the RP ID's host, after a move not that of the first origin. */
export function relatedOrigins(): Response {
  const { origins, rpId } = settings()
  const own = origins.find((origin) => isUnder(new URL(origin).hostname, rpId))
  return Response.json({ origins: origins.filter((origin) => origin !== own) })
}

/**
 * Services have the new key before the second step of changing the secret, and drop an old one by the time its last token
 * expires.
 */
const keySetSeconds = 300

export async function keySet(): Promise<Response> {
  const own = (await accessKeys()).map(({ publicKey }) => publicKey)
  const body: KeySet = { keys: [...own, ...(await publicKeys())] }
  return Response.json(body, { headers: { 'Cache-Control': `public, max-age=${keySetSeconds}` } })
}

/**
 * Google, "Digital Asset Links": Credential Manager fetches it before it gives an app our passkeys.
 *
 * @throws ApiError not_found without ANDROID_APPS
 */
export function assetLinks(): Response {
  const statements: AssetLinks = settings().androidApps.map(({ packageName, fingerprints }) => ({
    relation: ['delegate_permission/common.get_login_creds'],
    target: { namespace: 'android_app', package_name: packageName, sha256_cert_fingerprints: fingerprints },
  }))
  if (statements.length === 0) throw new ApiError('not_found')
  return Response.json(statements)
}

/** Apple, "Supporting associated domains". @throws ApiError not_found without APPLE_APPS */
export function associatedApps(): Response {
  const apps = settings().appleApps
  if (apps.length === 0) throw new ApiError('not_found')
  const body: AssociatedApps = { webcredentials: { apps } }
  return Response.json(body)
}
