import { decodeJwt, type JWTPayload } from 'jose'
import { type AppWithSecrets, findApp } from '../apps/app'
import { isRegistered } from '../apps/redirect-uris'

/** `redirectUri` is null if it is missing or repeated. */
export interface UnknownRedirectUri {
  kind: 'unknown_redirect_uri'
  app: AppWithSecrets
  redirectUri: string | null
}

type Redirect =
  | { kind: 'redirect'; app: AppWithSecrets; redirectUri: string }
  | { kind: 'unknown_app' }
  | UnknownRedirectUri

/** Where the authorization response goes. Never a redirect to what is not registered (RFC 9700 section 4.11). */
export async function findRedirect(query: URLSearchParams): Promise<Redirect> {
  const id = soleValue(query, 'client_id')
  const redirectUri = soleValue(query, 'redirect_uri')
  const app = id === null ? null : await findApp(id)
  if (!app) return { kind: 'unknown_app' }
  if (redirectUri === null || !isRegistered(app, redirectUri)) return { kind: 'unknown_redirect_uri', app, redirectUri }
  return { kind: 'redirect', app, redirectUri }
}

/** Null also without a value, which counts as omitted (RFC 6749 section 3.1). */
export function soleValue(query: URLSearchParams, name: string): string | null {
  const [value = null, ...others] = query.getAll(name)
  return others.length === 0 && value !== '' ? value : null
}

/**
 * What a request object says about the response, before what the query says (OpenID Connect Core section 6.1). The object is
 * not supported: the answer is an error, to a URI that is registered, so that no signature needs to be verified.
 */
export function readRequestObject(query: URLSearchParams): { state: string | null; responseMode: string | null } {
  const object = soleValue(query, 'request')
  const { state, response_mode } = object === null ? {} : payloadOf(object)
  const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
  return { state: textOf(state), responseMode: textOf(response_mode) }
}

function payloadOf(token: string): JWTPayload {
  try {
    return decodeJwt(token)
  } catch {
    return {}
  }
}
