import * as oidc from 'openid-client'
import { APP, begin, CLIENT_ID, CLIENT_SECRET, home, ISSUER, listen, redirect, sessionOf } from './site.mjs'

const options = { execute: [oidc.allowInsecureRequests] }
const latchkey = await oidc.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, options)

/** @type {Record<string, (request: Request) => Response | Promise<Response>>} */
const pages = {
  '/': (request) => home(sessionOf(request)?.person),

  async '/sign-in'() {
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
    const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()]
    const address = oidc.buildAuthorizationUrl(latchkey, {
      redirect_uri: `${APP}/callback`,
      scope: 'openid profile offline_access',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
    })
    return begin({ checks: { pkceCodeVerifier, expectedState, expectedNonce } }, address)
  },

  async '/callback'(request) {
    const tokens = await oidc.authorizationCodeGrant(latchkey, new URL(request.url), sessionOf(request).checks)
    return begin(await signedIn(tokens, tokens.claims()?.sub ?? ''), '/')
  },

  async '/refresh'(request) {
    const { tokens, person } = sessionOf(request)
    const next = await oidc.refreshTokenGrant(latchkey, tokens.refresh_token)
    if (!next.refresh_token || next.refresh_token === tokens.refresh_token) throw new Error('No rotation.')
    return begin(await signedIn(next, person.sub), '/')
  },

  async '/sign-out'(request) {
    const { tokens } = sessionOf(request)
    await oidc.tokenRevocation(latchkey, tokens.refresh_token)
    const rejected = await oidc.refreshTokenGrant(latchkey, tokens.refresh_token).catch((error) => error.error)
    if (rejected !== 'invalid_grant') throw new Error('The revoked token is still good.')
    const end = { id_token_hint: tokens.id_token, post_logout_redirect_uri: `${APP}/signed-out`, state: 'over' }
    return begin({}, oidc.buildEndSessionUrl(latchkey, end))
  },

  '/signed-out': (request) => redirect(new URL(request.url).searchParams.get('state') === 'over' ? '/' : '/lost'),
}

/** @param {oidc.TokenEndpointResponse} tokens @param {string} subject */
async function signedIn(tokens, subject) {
  const { sub, preferred_username: username } = await oidc.fetchUserInfo(latchkey, tokens.access_token, subject)
  return { tokens, person: { sub, username, accessToken: tokens.access_token, refresh: true } }
}

listen((request) => pages[new URL(request.url).pathname]?.(request) ?? new Response(null, { status: 404 }))
