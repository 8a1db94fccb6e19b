import { Client } from '../support/client'
import { codeChallengeOf, Flow } from '../support/openid/flow'
import type { Shown, World } from './world'

/* What the app asks, by the browser or by itself. */

const verifier = 'a'.repeat(43)
const formType = { 'Content-Type': 'application/x-www-form-urlencoded' }
/** A program of the app has no session of anybody's. */
const nobody = ({ actor }: Shown): Shown => ({ actor, session: null, stepUp: null })

/** Asks the app's question of the authorization endpoint, which needs no page: the app is trusted. */
export function askForApp(world: World, by: Shown, isLasting: boolean) {
  const flow = new Flow(new Client(world.server), world.app)
  const scope = isLasting ? 'openid offline_access' : 'openid profile'
  const query = flow.parameters({ scope, prompt: 'none', code_challenge: codeChallengeOf(verifier) }).toString()
  return world.request('/api/oauth/authorize', by, { isLasting }, { method: 'GET', query })
}

/** The app uses a refresh token. */
export function refresh(
  world: World,
  by: Shown,
  { name: refreshToken, value, appCode }: World['refreshTokens'][number],
) {
  const { id: client_id, secret: client_secret = '' } = world.app
  const raw = new URLSearchParams({ client_id, client_secret, grant_type: 'refresh_token', refresh_token: value })
  const facts = { path: 'refresh', refreshToken, appCode }
  return world.request('/api/oauth/token', nobody(by), facts, { raw: raw.toString(), headers: formType })
}

/** The app sends the browser to sign its person out, with an ID token. */
export function logOutOfApp(world: World, by: Shown, { value, hint }: World['idTokens'][number]) {
  const query = new URLSearchParams({ id_token_hint: value }).toString()
  return world.request('/api/oauth/logout', by, { hint }, { method: 'GET', query })
}

/** The app redeems a code. */
export function redeem(world: World, by: Shown, { name: appCode, value: code }: { name: string; value: string }) {
  const { id: client_id, secret: client_secret = '', redirectUri: redirect_uri } = world.app
  const grant_type = 'authorization_code'
  const form = { client_id, client_secret, redirect_uri, grant_type, code, code_verifier: verifier }
  const raw = new URLSearchParams(form).toString()
  return world.request('/api/oauth/token', nobody(by), { appCode }, { raw, headers: formType })
}

/** The app shows an access token. */
export function showToken(
  world: World,
  by: Shown,
  { appCode, value, expires: tokenExpires }: World['accessTokens'][number],
) {
  const headers = { Authorization: `Bearer ${value}` }
  return world.request(
    '/api/oauth/userinfo',
    nobody(by),
    { appCode, tokenExpires },
    {
      method: 'GET',
      headers,
    },
  )
}
