import { type AppWithSecrets, findApp } from '../apps/app'
import { isRegistered } from '../apps/redirect-uris'

type Redirect =
  | { kind: 'redirect'; app: AppWithSecrets; redirectUri: string }
  | { kind: 'unknown_app' | 'unknown_redirect_uri' }

/** Where the authorization response goes. Never a redirect to what is not registered (RFC 9700 section 4.11). */
export async function findRedirect(query: URLSearchParams): Promise<Redirect> {
  const id = soleValue(query, 'client_id')
  const redirectUri = soleValue(query, 'redirect_uri')
  const app = id === null ? null : await findApp(id)
  if (!app) return { kind: 'unknown_app' }
  if (redirectUri === null || !isRegistered(app, redirectUri)) return { kind: 'unknown_redirect_uri' }
  return { kind: 'redirect', app, redirectUri }
}

/** Null also without a value, which counts as omitted (RFC 6749 section 3.1). */
export function soleValue(query: URLSearchParams, name: string): string | null {
  const [value = null, ...others] = query.getAll(name)
  return others.length === 0 && value !== '' ? value : null
}
