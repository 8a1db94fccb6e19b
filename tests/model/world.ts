import type { Agent } from 'node:http'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { decodeJwt } from 'jose'
import type { Method } from '@/lib/api/schemas'
import { Client, type Message, type Answer as Response } from '../support/client'
import type { RegisteredApp } from '../support/openid/fixtures'
import { codeChallengeOf, Flow } from '../support/openid/flow'
import { tokenOf } from '../support/tokens/tokens'
import { Authenticator } from '../support/webauthn/authenticator'
import type { HeldPasskey } from '../support/webauthn/authenticator-data'
import type { Answer, Challenge, Exchange, Request, Session, StepUp } from './history'
import type { Operator, Order } from './operator'

export type Held<T> = T & { token: string }
export type HeldChallenge = Challenge & {
  type: 'create' | 'get'
  options: PublicKeyCredentialCreationOptionsJSON & PublicKeyCredentialRequestOptionsJSON
}

/** Somebody at a browser, with what it has kept. */
export type Actor = { address: string; session: Held<Session> | null; device: string | null }

/** What a request shows. */
export type Shown = { actor: Actor; session: Held<Session> | null; stepUp: Held<StepUp> | null }

type Served = { url: string; origin: string }
const verifier = 'a'.repeat(43)
const formType = { 'Content-Type': 'application/x-www-form-urlencoded' }
/** A program of the app has no session of anybody's. */
const nobody = ({ actor }: Shown): Shown => ({ actor, session: null, stepUp: null })

/** The real side of a history: it sends requests, and gives names to what comes back. */
export class World {
  readonly actors: Actor[]
  readonly sessions: Held<Session>[] = []
  readonly stepUps: Held<StepUp>[] = []
  readonly challenges: HeldChallenge[] = []
  readonly codes: { name: string; value: string; username: string }[] = []
  readonly passkeys = new Map<string, HeldPasskey>()
  /** The usernames that accounts last had. */
  readonly usernames = new Map<string, string>()
  readonly authenticator: Authenticator
  /** What has happened since the reference model was asked last. */
  exchanges: Exchange[] = []
  /** Whether answers may be lost, because the server is being killed. */
  isKilling = false
  ahead: number
  readonly appCodes: { name: string; value: string }[] = []
  readonly refreshTokens: { name: string; value: string; appCode: string }[] = []
  readonly idTokens: { value: string; hint: { account: string; root: string } }[] = []
  /** The session of each code, by its first. */
  private readonly rootsOfCodes = new Map<string, { account: string; root: string }>()
  readonly accessTokens: { appCode: string; value: string; expires: number }[] = []
  private onAnswer = () => {}
  private places = 0
  private readonly names = new Map<string, string>()
  private readonly server: Served
  private readonly operator: Operator
  readonly app: RegisteredApp
  private readonly agent: Agent

  constructor(
    server: Served,
    operator: Operator,
    app: RegisteredApp,
    agent: Agent,
    addresses: string[],
    ahead: number,
  ) {
    this.server = server
    this.operator = operator
    this.app = app
    this.agent = agent
    this.ahead = ahead
    this.authenticator = new Authenticator(server.origin)
    this.actors = addresses.map((address) => ({ address, session: null, device: null }))
  }

  /** The name of an id: the kind and a number. */
  name(kind: string, id: string): string {
    const known = this.names.get(id)
    if (known !== undefined) return known
    const name = `${kind} ${[...this.names.values()].filter((other) => other.startsWith(kind)).length}`
    this.names.set(id, name)
    return name
  }

  idOf(name: string): string {
    return [...this.names].find(([, other]) => other === name)?.[0] ?? ''
  }

  /** Waits until so many more requests have been answered. */
  untilAnswered(count: number): Promise<void> {
    if (count === 0) return Promise.resolve()
    return new Promise((done) => {
      let left = count
      this.onAnswer = () => {
        left -= 1
        if (left === 0) done()
      }
    })
  }

  /** Has the operator do something to an account, and records the outcome. */
  async order(name: Order['name'], facts: { target: string; group: string; email: string }) {
    const { target, group, email } = facts
    const exchange: Exchange = {
      request: {
        path: name,
        at: Date.now() + this.ahead,
        address: '',
        isKnown: false,
        session: null,
        stepUp: null,
        ...facts,
      },
      answer: null,
      sent: this.places++,
      received: Number.POSITIVE_INFINITY,
    }
    this.exchanges.push(exchange)
    const code = await this.operator.carryOut({ name, account: this.idOf(target), group, email })
    exchange.received = this.places++
    exchange.answer = code === null ? { status: 200 } : { status: 400, code }
  }

  /** Asks the app's question of the authorization endpoint, which needs no page: the app is trusted. */
  askForApp(by: Shown, isLasting: boolean) {
    const flow = new Flow(new Client(this.server), this.app)
    const scope = isLasting ? 'openid offline_access' : 'openid profile'
    const query = flow.parameters({ scope, prompt: 'none', code_challenge: codeChallengeOf(verifier) }).toString()
    return this.send('/api/oauth/authorize', by, { isLasting }, undefined, { method: 'GET', query })
  }

  /** The app uses a refresh token. */
  refresh(by: Shown, { name: refreshToken, value, appCode }: (typeof this.refreshTokens)[number]) {
    const { id: client_id, secret: client_secret = '' } = this.app
    const raw = new URLSearchParams({ client_id, client_secret, grant_type: 'refresh_token', refresh_token: value })
    const facts = { path: 'refresh', refreshToken, appCode }
    return this.send('/api/oauth/token', nobody(by), facts, undefined, { raw: raw.toString(), headers: formType })
  }

  /** The app sends the browser to sign its person out, with an ID token. */
  logOutOfApp(by: Shown, { value, hint }: (typeof this.idTokens)[number]) {
    const query = new URLSearchParams({ id_token_hint: value }).toString()
    return this.send('/api/oauth/logout', by, { hint }, undefined, { method: 'GET', query })
  }

  /** The app redeems a code. */
  redeem(by: Shown, { name: appCode, value: code }: { name: string; value: string }) {
    const { id: client_id, secret: client_secret = '', redirectUri: redirect_uri } = this.app
    const grant_type = 'authorization_code'
    const form = { client_id, client_secret, redirect_uri, grant_type, code, code_verifier: verifier }
    const raw = new URLSearchParams(form).toString()
    return this.send('/api/oauth/token', nobody(by), { appCode }, undefined, { raw, headers: formType })
  }

  /** The app shows an access token. */
  showToken(by: Shown, { appCode, value, expires: tokenExpires }: (typeof this.accessTokens)[number]) {
    const headers = { Authorization: `Bearer ${value}` }
    return this.send('/api/oauth/userinfo', nobody(by), { appCode, tokenExpires }, undefined, {
      method: 'GET',
      headers,
    })
  }

  /** Sends a request and records the outcome. */
  async send(
    path: string,
    { actor, session, stepUp }: Shown,
    facts: Partial<Request> = {},
    body?: object,
    { query, method = 'POST', ...message }: Omit<Message, 'method'> & { query?: string; method?: 'GET' | 'POST' } = {},
  ) {
    const client = new Client(this.server, {
      agent: this.agent,
      headers: {
        'X-Forwarded-For': actor.address,
        'X-Clock-Ahead': String(this.ahead),
        ...(session && { Authorization: `Bearer ${session.token}` }),
        ...(stepUp && { 'Latchkey-Step-Up': stepUp.token }),
        ...(actor.device && { Cookie: `device=${actor.device}` }),
      },
    })
    const at = Date.now() + this.ahead
    const { address } = actor
    const exchange: Exchange = {
      request: { path, at, address, isKnown: this.knows(actor, facts.username), session, stepUp, ...facts },
      answer: null,
      sent: this.places++,
      received: Number.POSITIVE_INFINITY,
    }
    this.exchanges.push(exchange)
    const target = query === undefined ? path : `${path}?${query}`
    const response = await client.request(method, target, { ...message, body }).catch((error: unknown) => {
      if (this.isKilling) return null
      throw error
    })
    if (response === null) return null
    exchange.received = this.places++
    exchange.answer = { ...this.read(response), ...this.readForApp(response, exchange.request) }
    if (path === '/api/oauth/logout') exchange.answer.asks = !response.headers.location?.startsWith('/signin')
    this.onAnswer()
    actor.device = client.jar.get('device') ?? actor.device
    const opened = this.sessions.at(-1)
    if (exchange.answer.session && opened) actor.session = opened
    return { ...exchange.answer, body: response.body }
  }

  /** What the app learns, by its redirect URI or at its own endpoints. */
  private readForApp({ headers, body }: Response, { appCode, session }: Request): Partial<Answer> {
    const location = headers.location ?? ''
    const query = new URL(location.startsWith(this.app.redirectUri) ? location : 'x:').searchParams
    const code = query.get('code')
    if (code !== null) return { appCode: this.keepCode(code, session) }
    if (body?.access_token && appCode) return this.keepTokens(body, appCode)
    const error = query.get('error') ?? (body?.error_description && body.error)
    return error ? { code: error } : {}
  }

  private keepTokens(body: { access_token: string; id_token: string; refresh_token?: string }, appCode: string) {
    const { exp = 0 } = decodeJwt(body.access_token)
    this.accessTokens.push({ appCode, value: body.access_token, expires: exp * 1000 })
    const hint = this.rootsOfCodes.get(appCode)
    if (hint) this.idTokens.push({ value: body.id_token, hint })
    if (body.refresh_token === undefined) return {}
    const name = this.name('refresh token', body.refresh_token)
    const isKnown = this.refreshTokens.some((one) => one.name === name)
    if (!isKnown) this.refreshTokens.push({ name, value: body.refresh_token, appCode })
    return { refreshToken: name }
  }

  private keepCode(value: string, session: Session | null): string {
    const name = this.name('code for the app', value)
    if (session) this.rootsOfCodes.set(name, { account: session.account, root: session.root })
    this.appCodes.push({ name, value })
    return name
  }

  /** Whether this browser has signed in to the account that has this username. */
  private knows({ device }: Actor, username = ''): boolean {
    const account = device === null ? '' : this.name('account', decodeJwt(device).sub ?? '')
    return this.usernames.get(account)?.toLowerCase() === username.toLowerCase()
  }

  private read({ status, body }: Response): Answer {
    const session = body?.token === undefined ? undefined : this.readSession(body.token)
    const stepUp = body?.stepUp === undefined ? undefined : this.readStepUp(body.stepUp)
    const { user, passkeys, codes, sessions } = body ?? {}
    if (user?.username) this.usernames.set(this.name('account', user.id), user.username)
    return {
      status,
      ...(body?.code && { code: body.code }),
      ...(session && { session }),
      ...(stepUp && { stepUp }),
      ...(body?.challenge && { challenge: this.readChallenge(body) }),
      ...(passkeys && {
        account: {
          username: body.username,
          email: body.email,
          groups: body.groups,
          passkeys: passkeys.map(({ id }: { id: string }) => this.name('passkey', id)).toSorted(),
          hasPassword: body.hasPassword,
          codes: body.recoveryCodesLeft,
        },
      }),
      ...(codes && { codes: codes.map((code: string) => this.name('code', code)) }),
      ...(sessions && { sessions: sessions.map(({ id }: { id: string }) => this.name('session', id)) }),
    }
  }

  private readSession(token: string): Session {
    const {
      jti = '',
      sub = '',
      epoch,
      amr,
      pk,
      root = jti,
      exp = 0,
      auth_time = 0,
    } = decodeJwt<{ epoch: number; amr: Method[]; pk?: string; root?: string; auth_time?: number }>(token)
    const session = {
      name: this.name('session', jti),
      account: this.name('account', sub),
      epoch,
      method: amr[0] as Method,
      passkey: pk === undefined ? null : this.name('passkey', pk),
      expires: exp * 1000,
      shownAt: auth_time * 1000,
      root: this.name('session', root),
    }
    this.sessions.push({ ...session, token })
    return session
  }

  private readStepUp(token: string): StepUp {
    const { sid, sub = '', epoch, amr, exp = 0 } = decodeJwt<{ sid: string; epoch: number; amr: Method[] }>(token)
    const stepUp = {
      session: this.name('session', sid),
      account: this.name('account', sub),
      epoch,
      method: amr[0] as Method,
      expires: exp * 1000,
    }
    this.stepUps.push({ ...stepUp, token })
    return stepUp
  }

  private readChallenge(options: HeldChallenge['options']): Challenge {
    const { jti = '', sub, sid, username, exp = 0 } = decodeJwt<{ sid?: string; username?: string }>(tokenOf(options))
    const challenge = {
      name: this.name('challenge', jti),
      account: sub === undefined ? null : this.name('account', sub),
      username: username ?? null,
      session: sid === undefined ? null : this.name('session', sid),
      expires: exp * 1000,
    }
    this.challenges.push({ ...challenge, type: options.rp ? 'create' : 'get', options })
    return challenge
  }
}
