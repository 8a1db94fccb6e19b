import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'

/** What the next answers of the provider say in place of the truth. */
export interface Lies {
  /** Claims of the ID token; `undefined` takes one out */
  idToken?: JWTPayload | undefined
  /** Whose key signs it: nobody's, or another's than the published one */
  signature?: 'none' | 'other' | undefined
  withoutIdToken?: boolean | undefined
  /** Replaces the token endpoint's answer */
  token?: { status: number; body: object } | undefined
  down?: boolean | undefined
}

/** An OpenID provider of this process, which keeps the rules unless told to lie. It signs `claims.sub` in without a page. */
export async function startProvider() {
  const keys = await generateKeyPair('ES256')
  const others = await generateKeyPair('ES256')
  const requests = new Map<string, URLSearchParams>()
  const lies: Lies = {}
  const claims: JWTPayload = { sub: 'person-1', preferred_username: 'ada', name: 'Ada Lovelace', sid: 'session-1' }
  const metadata: Record<string, unknown> = {}
  const tokenRequests: URLSearchParams[] = []
  const revoked: string[] = []
  let count = 0
  let issuer = ''

  const sign = (payload: JWTPayload, header: { typ?: string } = {}) =>
    new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
      .sign(lies.signature === 'other' ? others.privateKey : keys.privateKey)

  const idToken = async (nonce: string | null) => {
    const now = Math.floor(Date.now() / 1000)
    const said = {
      iss: issuer,
      aud: 'notes',
      iat: now,
      exp: now + 3600,
      ...claims,
      ...(nonce !== null && { nonce }),
      ...lies.idToken,
    }
    return lies.signature === 'none' ? new UnsecuredJWT(said).encode() : sign(said)
  }

  const answerToken = async (form: URLSearchParams, response: ServerResponse) => {
    tokenRequests.push(form)
    if (lies.token) return json(response, lies.token.body, lies.token.status)
    const refreshed = form.get('grant_type') === 'refresh_token'
    const code = form.get('code') ?? ''
    const request = requests.get(code)
    requests.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isGood = refreshed
      ? form.get('refresh_token') === `refresh-${count}`
      : request?.get('code_challenge') === challenge && request.get('redirect_uri') === form.get('redirect_uri')
    if (!isGood) return json(response, { error: 'invalid_grant' }, 400)
    count += 1
    const tokens = { access_token: 'access', token_type: 'Bearer', expires_in: 3600, refresh_token: `refresh-${count}` }
    const id_token = await idToken(request?.get('nonce') ?? null)
    return json(response, lies.withoutIdToken ? tokens : { ...tokens, id_token })
  }

  const server = createServer(async (request, response) => {
    if (lies.down) return request.socket.destroy()
    const url = new URL(request.url ?? '', issuer)
    let body = ''
    for await (const chunk of request) body += chunk
    if (url.pathname === '/.well-known/openid-configuration') return json(response, metadata)
    if (url.pathname === '/jwks')
      return json(response, { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256' }] })
    if (url.pathname === '/token') return answerToken(new URLSearchParams(body), response)
    if (url.pathname === '/revoke') {
      revoked.push(new URLSearchParams(body).get('token') ?? '')
      return json(response, {})
    }
    return json(response, {}, 404)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  Object.assign(metadata, {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    end_session_endpoint: `${issuer}/logout`,
    revocation_endpoint: `${issuer}/revoke`,
    scopes_supported: ['openid', 'profile', 'email', 'groups', 'offline_access'],
    response_types_supported: ['code'],
    id_token_signing_alg_values_supported: ['ES256'],
    authorization_response_iss_parameter_supported: true,
  })

  return {
    issuer,
    claims,
    lies,
    metadata,
    tokenRequests,
    revoked,
    sign,
    /** What the browser brings back from the authorization endpoint. */
    answer(location: string): URLSearchParams {
      const asked = new URL(location).searchParams
      const code = `code-${createHash('sha256').update(location).digest('hex')}`
      requests.set(code, asked)
      return new URLSearchParams({ code, state: asked.get('state') ?? '', iss: issuer })
    },
    stop: () => server.close().closeAllConnections(),
  }
}

function json(response: ServerResponse, body: object, status = 200) {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

export type Provider = Awaited<ReturnType<typeof startProvider>>
