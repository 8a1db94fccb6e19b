import { type App, findApp } from '../apps/app'
import { readSigned } from '../tokens/signed-tokens'

/** What an app asks for (OpenID Connect RP-Initiated Logout 1.0, section 2). */
export interface LogoutRequest {
  /** Who asks; null if nobody says so, or nobody can be believed */
  app: App | null
  /** The session that the app means, by an ID token of ours */
  hint: { account: string | undefined; sid: unknown } | null
  /** Where it wants its person back: registered, and with its `state` */
  returnTo: string | null
}

const parameters = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'] as const

const nobody: LogoutRequest = { app: null, hint: null, returnTo: null }

/**
 * An expired ID token is a good hint: people sign out of an app days later. One that is not ours, or another app's than
 * `client_id` names, makes all of the request worth nothing.
 */
export async function readLogoutRequest(query: URLSearchParams): Promise<LogoutRequest> {
  if (parameters.some((name) => query.getAll(name).length > 1)) return nobody
  const token = query.get('id_token_hint')
  const clientId = query.get('client_id')
  const claims = token === null ? null : await readSigned('JWT', token, { expired: true })
  if (token !== null && (typeof claims?.aud !== 'string' || (clientId ?? claims.aud) !== claims.aud)) return nobody
  const app = await findApp(typeof claims?.aud === 'string' ? claims.aud : (clientId ?? ''))
  if (!app) return nobody
  const hint = claims && { account: claims.sub, sid: claims.sid }
  return { app, hint, returnTo: addressOf(app, query) }
}

/** Compared as text, as redirect URIs are: never a redirect to what is not registered (RFC 9700 section 4.11). */
function addressOf(app: App, query: URLSearchParams): string | null {
  const uri = query.get('post_logout_redirect_uri')
  if (uri === null || !app.signOutUris.includes(uri)) return null
  const state = query.get('state')
  if (state === null) return uri
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`
}

/** The same request as one without a hint, for the page that asks; `trusted` is false if it must not lead to the app. */
export function withoutHint(query: URLSearchParams, { app }: LogoutRequest, trusted: boolean): string {
  const kept = new URLSearchParams(app ? { client_id: app.id } : {})
  for (const name of ['post_logout_redirect_uri', 'state'] as const) {
    const value = query.get(name)
    if (app && trusted && value !== null) kept.set(name, value)
  }
  return kept.toString()
}
