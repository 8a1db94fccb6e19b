import { ApiError } from '@/lib/api/errors'
import { openApiDocument } from '@/lib/api/openapi'
import type { AssetLinks, AssociatedApps, KeySet } from '@/lib/api/schemas'
import { accessKeys } from '@/lib/auth/tokens/access-tokens'
import { findIcon } from '@/lib/openid/apps/icon'
import { publicKeys } from '@/lib/openid/tokens/signing-keys'
import { singleton } from '@/lib/process/singleton'
import { isUnder } from '@/lib/settings/fields'
import { settings } from '@/lib/settings/settings'
import { searchOf } from '../request/head'
import { framePolicy, type Header } from '../response/headers'
import { type Answer, json } from '../response/result'

/** W3C, "A Well-Known URL for Changing Passwords". 404 where PASSWORDS is off, so that managers offer no change. */
export const redirectToChangePassword = (): Answer => ({
  status: 302,
  headers: [['Location', '/profile#password']],
  body: null,
})

/** W3C, "A Well-Known URL for Relying Party Passkey Endpoints". */
export function passkeyEndpoints(): Answer {
  const page = `${settings().origins[0]}/passkeys`
  return json({ enroll: page, manage: page })
}

/**
 * The origins that may use our passkeys (WebAuthn level 3, section 5.11), without the one whose host has the RP ID: browsers
 * fetch the list there. After a move, that is not the first origin.
 */
export function relatedOrigins(): Answer {
  const { origins, rpId } = settings()
  const own = origins.find((origin) => isUnder(new URL(origin).hostname, rpId))
  return json({ origins: origins.filter((origin) => origin !== own) })
}

/**
 * Services may cache the keys this long: they have the new key before the second step of changing the secret, and drop an old
 * one by the time its last token expires.
 */
const keySetSeconds = 300

export async function keySet(): Promise<Answer> {
  const own = (await accessKeys()).map(({ publicKey }) => publicKey)
  const body: KeySet = { keys: [...own, ...(await publicKeys())] }
  return json(body, { headers: [['Cache-Control', `public, max-age=${keySetSeconds}`]] })
}

/**
 * Google, "Digital Asset Links": Credential Manager fetches it before it gives an app our passkeys.
 *
 * @throws ApiError not_found without ANDROID_APPS
 */
export function assetLinks(): Answer {
  const statements: AssetLinks = settings().androidApps.map(({ packageName, fingerprints }) => ({
    relation: ['delegate_permission/common.get_login_creds'],
    target: { namespace: 'android_app', package_name: packageName, sha256_cert_fingerprints: fingerprints },
  }))
  if (statements.length === 0) throw new ApiError('not_found')
  return json(statements)
}

/** Apple, "Supporting associated domains". @throws ApiError not_found without APPLE_APPS */
export function associatedApps(): Answer {
  const apps = settings().appleApps
  if (apps.length === 0) throw new ApiError('not_found')
  const body: AssociatedApps = { webcredentials: { apps } }
  return json(body)
}

/** Keeps an SVG that somebody opens as a page from running scripts in our origin. next.config.mjs has the same policy. */
const policy = `default-src 'none'; style-src 'unsafe-inline'; sandbox; ${framePolicy}`

/** Browsers cache a logo this long, and so show a new one soon. */
const logoSeconds = 300

/** @throws ApiError not_found without APP_LOGO, or if it is a URL */
export function logo(theme: 'light' | 'dark', request: Request): Answer {
  const file = settings().logo?.[theme]?.file
  if (!file) throw new ApiError('not_found')
  const headers: Header[] = [
    ['Cache-Control', `public, max-age=${logoSeconds}`],
    ['Content-Security-Policy', policy],
    ['ETag', file.etag],
    // Apps may show the logo.
    ['Cross-Origin-Resource-Policy', 'cross-origin'],
  ]
  if (isKnown(request.headers.get('If-None-Match'), file.etag)) return { status: 304, headers, body: null }
  headers.push(['Content-Type', file.type === 'image/svg+xml' ? `${file.type}; charset=utf-8` : file.type])
  return { status: 200, headers, body: file.bytes }
}

/** @throws ApiError not_found where no app has it, or has it any more */
export async function appIcon(request: Request): Promise<Answer> {
  const icon = await findIcon(new URLSearchParams(searchOf(request.url)).get('digest') ?? '')
  if (!icon) throw new ApiError('not_found')
  const headers: Header[] = [
    // The address names the content.
    ['Cache-Control', 'public, max-age=31536000, immutable'],
    ['Content-Security-Policy', policy],
    ['Content-Type', icon.type],
  ]
  return { status: 200, headers, body: icon.bytes }
}

/** Compares weakly (RFC 9110 section 13.1.2), since proxies that compress weaken the tag. */
const isKnown = (header: string | null, etag: string) =>
  header?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))

export const openApi = (): Answer =>
  json(
    singleton('openapi', () => JSON.stringify(openApiDocument(settings()))),
    { headers: [['Cache-Control', 'public, max-age=3600']] },
  )
