import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'playwright/test'
import type { Answer, Client } from '../client'
import { withoutUndefined } from '../without-undefined'
import type { RegisteredApp } from './fixtures'
import { consent, isConsent, postForm, verifyIdToken } from './requests'

export const codeChallengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

/** The scopes of an app that gets refresh tokens. */
export const lasting = 'openid profile offline_access'

/** One authorization request and the answer to it, as a library of an app makes them. */
export class Flow {
  readonly verifier = randomBytes(32).toString('base64url')
  readonly state = randomBytes(16).toString('base64url')
  readonly nonce = randomBytes(16).toString('base64url')
  readonly client: Client
  readonly app: RegisteredApp

  constructor(client: Client, app: RegisteredApp) {
    this.client = client
    this.app = app
  }

  /** The parameters of the request; undefined removes one. */
  parameters(changes: Record<string, string | undefined> = {}): URLSearchParams {
    const all = {
      client_id: this.app.id,
      redirect_uri: this.app.redirectUri,
      response_type: 'code',
      scope: 'openid profile',
      state: this.state,
      nonce: this.nonce,
      code_challenge: codeChallengeOf(this.verifier),
      code_challenge_method: 'S256',
      ...changes,
    }
    return new URLSearchParams(withoutUndefined(all))
  }

  path = (changes?: Record<string, string | undefined>) => `/api/oauth/authorize?${this.parameters(changes)}`

  /** The first answer of the authorization endpoint. */
  ask = (changes?: Record<string, string | undefined>): Promise<Answer> => this.client.get(this.path(changes))

  /** Follows the request through consent, to the answer that the app gets. The client is signed in. */
  async answer(changes?: Record<string, string | undefined>, allow = true): Promise<URLSearchParams> {
    const asked = await this.ask(changes)
    return this.toApp(isConsent(asked) ? await consent(this.client, asked, allow) : asked)
  }

  /** The parameters that the app gets from an answer of the authorization endpoint. */
  toApp(answer: Answer): URLSearchParams {
    expect(answer.status, answer.text).toBe(303)
    const location = String(answer.headers.location)
    expect(location.startsWith(this.app.redirectUri), location).toBe(true)
    const query = new URL(location).searchParams
    expect(query.get('iss')).toBe(this.client.server.origin)
    return query
  }

  async code(changes?: Record<string, string | undefined>): Promise<string> {
    const query = await this.answer(changes)
    expect(query.get('state')).toBe(changes && 'state' in changes ? (changes.state ?? null) : this.state)
    expect(query.get('error_description')).toBeNull()
    return query.get('code') as string
  }

  /** The token endpoint, with the secret in the form; undefined removes a parameter. */
  exchange(code: string, changes: Record<string, string | undefined> = {}, headers = {}): Promise<Answer> {
    return postForm(
      this.client,
      '/api/oauth/token',
      {
        grant_type: 'authorization_code',
        code,
        redirect_uri: this.app.redirectUri,
        code_verifier: this.verifier,
        client_id: this.app.id,
        client_secret: this.app.secret,
        ...changes,
      },
      headers,
    )
  }

  async tokens(changes?: Record<string, string | undefined>) {
    const answer = await this.exchange(await this.code(changes))
    expect(answer.status, answer.text).toBe(200)
    return answer.body as { access_token: string; id_token: string; scope: string; expires_in: number }
  }

  /** Tokens with a refresh token among them. */
  async lastingTokens(changes?: Record<string, string | undefined>) {
    const tokens = await this.tokens({ scope: lasting, ...changes })
    return tokens as typeof tokens & { refresh_token: string }
  }

  /** Uses a refresh token at the token endpoint, with the secret in the form. */
  refresh(token: string, changes: Record<string, string | undefined> = {}): Promise<Answer> {
    return postForm(this.client, '/api/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id: this.app.id,
      client_secret: this.app.secret,
      ...changes,
    })
  }

  /** Revokes a token, with the secret in the form. */
  revoke(token: string | undefined, changes: Record<string, string | undefined> = {}): Promise<Answer> {
    const { id: client_id, secret: client_secret } = this.app
    return postForm(this.client, '/api/oauth/revoke', { token, client_id, client_secret, ...changes })
  }

  /** The verified claims of a sign-in. */
  async signIn(changes?: Record<string, string | undefined>) {
    const tokens = await this.tokens(changes)
    return { ...tokens, claims: await verifyIdToken(this.client.server, tokens.id_token, this.app.id) }
  }
}
