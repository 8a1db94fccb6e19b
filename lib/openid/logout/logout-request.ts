import { withoutEmpty } from '@/lib/api/parameters'
import { type App, findApp } from '../apps/app'
import { readSigned } from '../tokens/signed-tokens'

/** An app's logout request (OpenID Connect RP-Initiated Logout 1.0, section 2). */
interface LogoutRequest {
  /** Null if the request names none, or contradicts itself */
  app: App | null
  /** The session that `id_token_hint` names */
  hint: { account: string | undefined; sid: unknown } | null
  /** The `post_logout_redirect_uri`, if it is registered, with `state` */
  returnTo: string | null
  /** The `post_logout_redirect_uri`, if it is not registered */
  unregistered: string | null
}

const parameters = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'] as const

const anonymous: LogoutRequest = { app: null, hint: null, returnTo: null, unregistered: null }

/** An expired ID token is a valid hint, since people sign out days later; one that is not ours voids the request. */
export async function readLogoutRequest(all: URLSearchParams): Promise<LogoutRequest> {
  if (parameters.some((name) => all.getAll(name).length > 1)) return anonymous
  const query = withoutEmpty(all)
  const token = query.get('id_token_hint')
  const clientId = query.get('client_id')
  const claims = token === null ? null : await readSigned('JWT', token, { expired: true })
  if (token !== null && (typeof claims?.aud !== 'string' || (clientId ?? claims.aud) !== claims.aud)) return anonymous
  const app = await findApp(typeof claims?.aud === 'string' ? claims.aud : (clientId ?? ''))
  if (!app) return anonymous
  const hint = claims && { account: claims.sub, sid: claims.sid }
  const uri = query.get('post_logout_redirect_uri')
  // Compares text, as for redirect URIs: no open redirector (RFC 9700 section 4.11).
  if (uri === null || !app.signOutUris.includes(uri)) return { app, hint, returnTo: null, unregistered: uri }
  return { app, hint, returnTo: withState(uri, query.get('state')), unregistered: null }
}

const withState = (uri: string, state: string | null) =>
  state === null ? uri : `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`

/** The same request without a hint, for the confirmation page; `mayReturn` is false if it must not lead to the app. */
export function withoutHint(
  query: URLSearchParams,
  { app, mayReturn }: Pick<LogoutRequest, 'app'> & { mayReturn: boolean },
): string {
  const kept = new URLSearchParams(app ? { client_id: app.id } : {})
  for (const name of ['post_logout_redirect_uri', 'state'] as const) {
    const value = query.get(name)
    if (app && mayReturn && value !== null) kept.set(name, value)
  }
  return kept.toString()
}
