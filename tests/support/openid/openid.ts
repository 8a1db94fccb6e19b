import { createHash, randomBytes } from 'node:crypto'
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose'
import { type Answer, Client } from '../client'
import { test as base, expect } from '../fixtures'
import { accountsJson } from '../operator/accounts-command'
import type { Server } from '../server'
import { executeSql, readSql } from '../storage/sql'

export { expect }

export const CALLBACK = 'https://app.example.com/callback'

export interface RegisteredApp {
  id: string
  name: string
  secret: string | undefined
  redirectUri: string
}

/** Registers an app by the operator's command, with these redirect addresses and options. */
export async function registerApp(server: Server, ...words: string[]): Promise<RegisteredApp> {
  const name = `App ${randomBytes(6).toString('hex')}`
  const { app, secret } = await accountsJson(server, 'app', 'add', name, ...words)
  return { id: app.id, name, secret, redirectUri: app.redirectUris[0] }
}

type PerTest = {
  /** An app of the shared server with these options, registered once for each server. */
  appWith: (...words: string[]) => Promise<RegisteredApp>
  /** A confidential app that needs PKCE and consent. */
  app: RegisteredApp
}

const registered = new WeakMap<Server, Map<string, Promise<RegisteredApp>>>()

export const test = base.extend<PerTest>({
  appWith: async ({ server }, use) => {
    const known = registered.get(server) ?? new Map<string, Promise<RegisteredApp>>()
    registered.set(server, known)
    await use((...words) => {
      const key = words.join('\n')
      const app = known.get(key) ?? registerApp(server, ...words)
      known.set(key, app)
      return app
    })
  },
  app: async ({ appWith }, use) => use(await appWith(CALLBACK)),
})

export const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

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
      code_challenge: challengeOf(this.verifier),
      code_challenge_method: 'S256',
      ...changes,
    }
    return new URLSearchParams(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined))
  }

  path = (changes?: Record<string, string | undefined>) => `/api/oauth/authorize?${this.parameters(changes)}`

  /** The first answer of the authorization endpoint. */
  ask = (changes?: Record<string, string | undefined>): Promise<Answer> => get(this.client, this.path(changes))

  /** Follows the request through consent, to the answer that the app gets. The client is signed in. */
  async answer(changes?: Record<string, string | undefined>, allow = true): Promise<URLSearchParams> {
    const asked = await this.ask(changes)
    return this.toApp(isConsent(asked) ? await consent(this.client, asked, allow) : asked)
  }

  /** What an answer of the authorization endpoint tells the app. */
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
    const tokens = await this.tokens({ scope: 'openid profile offline_access', ...changes })
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

export const get = (client: Client, path: string, headers = {}): Promise<Answer> =>
  client.post(path, undefined, { method: 'GET', headers })

/** Another program than the browser sends no cookie. */
export function postForm(
  { server }: Pick<Client, 'server'>,
  path: string,
  form: Record<string, string | undefined> | URLSearchParams,
  headers: Record<string, string | undefined> = {},
): Promise<Answer> {
  const entries =
    form instanceof URLSearchParams ? [...form] : Object.entries(form).filter(([, value]) => value !== undefined)
  const raw = new URLSearchParams(entries as [string, string][]).toString()
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
  return new Client(server).post(path, undefined, { raw, headers: { ...type, ...headers } })
}

export const isConsent = ({ headers }: Answer) => String(headers.location).startsWith('/consent?')

export const requestOf = ({ headers }: Answer) =>
  new URLSearchParams(String(headers.location).split('?')[1]).get('request') ?? ''

/** Says yes or no on the consent page, and goes on as it does. */
export async function consent(client: Client, asked: Answer, allow = true): Promise<Answer> {
  const answer = await client.post('/api/oauth/consent', { request: requestOf(asked), allow })
  expect(answer.status, answer.text).toBe(200)
  return get(client, answer.body.location)
}

/** The path that the sign-in page leads to. */
export function nextOf(answer: Answer, page = '/signin'): string {
  const location = String(answer.headers.location)
  expect(location, answer.text).toMatch(new RegExp(`^${page}\\?`))
  return new URLSearchParams(location.split('?')[1]).get('next') ?? ''
}

/** Verifies an ID token as a library does: with jose, and nothing but the server's public keys. */
export async function verifyIdToken(
  server: { url: string; origin: string },
  token: string,
  audience: string,
): Promise<JWTPayload> {
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', server.url))
  const rules = { issuer: server.origin, audience, algorithms: ['RS256'], typ: 'JWT' }
  return (await jwtVerify(token, keys, rules)).payload
}

export const userinfo = (client: Pick<Client, 'server'>, token: string): Promise<Answer> =>
  get(new Client(client.server), '/api/oauth/userinfo', { Authorization: `Bearer ${token}` })

/** Asserts an error response in OAuth's format. */
export function expectOAuthError(answer: Answer, status: number, error: string) {
  expect([answer.status, answer.body?.error], answer.text).toEqual([status, error])
  expect(answer.body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
}

export async function expectEnded(client: Pick<Client, 'server'>, token: string) {
  const answer = await userinfo(client, token)
  expectOAuthError(answer, 401, 'invalid_token')
  expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"')
}

/** The row of a code, which is that of the refresh tokens that follow from it, too. */
const rowOf = (code: string) => `WHERE "id" = '${code.slice(0, 22)}'`

/** Changes what the database knows of a code, or of a family of refresh tokens. */
export const alterCode = ({ stores }: Server, code: string, change: string): void =>
  executeSql(stores.DATABASE_URL ?? '', `UPDATE "Code" SET ${change} ${rowOf(code)}`)

/** One column of that row, as text. */
export const readCode = ({ stores }: Server, code: string, column: string): string | undefined =>
  readSql(stores.DATABASE_URL ?? '', `SELECT "${column}" FROM "Code" ${rowOf(code)}`)[0]

/** Lets the sessions of an account run out. */
export const expireSessions = ({ stores }: Server, userId: string): void =>
  executeSql(
    stores.DATABASE_URL ?? '',
    `UPDATE "Session" SET "expiresAt" = ${Date.now() - 1} WHERE "userId" = '${userId}'`,
  )

/** Gives the session of a code as many codes as it may have. */
export function exhaustCodes({ stores }: Server, code: string): void {
  executeSql(
    stores.DATABASE_URL ?? '',
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 999)
     INSERT INTO "Code" ("id", "hash", "grantId", "rootId", "redirectUri", "scopes", "amr", "authTime", "validUntil", "expiresAt")
     SELECT "id" || n, "hash" || n, "grantId", "rootId", "redirectUri", "scopes", "amr", "authTime", "validUntil", "expiresAt"
     FROM "Code", numbers ${rowOf(code)}`,
  )
}
