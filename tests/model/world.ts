import type { Agent } from 'node:http'
import { decodeJwt } from 'jose'
import { Client, type Message, type Answer as Response } from '../support/client'
import type { RegisteredApp } from '../support/openid/fixtures'
import { Authenticator } from '../support/webauthn/authenticator'
import type { HeldPasskey } from '../support/webauthn/authenticator-data'
import type { Answer, Challenge, Exchange, Request, Session, StepUp } from './history'
import { Names } from './names'
import type { Operator, Order } from './operator'
import { type CeremonyOptions, readChallenge, readSession, readStepUp } from './read-tokens'

export type Held<T> = T & { token: string }
export type HeldChallenge = Challenge & {
  type: 'create' | 'get'
  options: CeremonyOptions
}

/** Somebody at a browser, with what it has kept. */
export type Actor = { address: string; session: Held<Session> | null; device: string | null }

/** What a request shows. */
export type Shown = { actor: Actor; session: Held<Session> | null; stepUp: Held<StepUp> | null }

type Served = { url: string; origin: string }

export type WorldParts = {
  server: Served
  operator: Operator
  app: RegisteredApp
  agent: Agent
  /** Of the actors */
  addresses: string[]
  /** How far its clock is ahead, in milliseconds */
  ahead: number
}

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
  readonly names = new Names()
  readonly server: Served
  private readonly operator: Operator
  readonly app: RegisteredApp
  private readonly agent: Agent

  constructor({ server, operator, app, agent, addresses, ahead }: WorldParts) {
    this.server = server
    this.operator = operator
    this.app = app
    this.agent = agent
    this.ahead = ahead
    this.authenticator = new Authenticator(server.origin)
    this.actors = addresses.map((address) => ({ address, session: null, device: null }))
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
    const code = await this.operator.carryOut({ name, account: this.names.idOf(target), group, email })
    exchange.received = this.places++
    exchange.answer = code === null ? { status: 200 } : { status: 400, code }
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
    const name = this.names.of('refresh token', body.refresh_token)
    const isKnown = this.refreshTokens.some((one) => one.name === name)
    if (!isKnown) this.refreshTokens.push({ name, value: body.refresh_token, appCode })
    return { refreshToken: name }
  }

  private keepCode(value: string, session: Session | null): string {
    const name = this.names.of('code for the app', value)
    if (session) this.rootsOfCodes.set(name, { account: session.account, root: session.root })
    this.appCodes.push({ name, value })
    return name
  }

  /** Whether this browser has signed in to the account that has this username. */
  private knows({ device }: Actor, username = ''): boolean {
    const account = device === null ? '' : this.names.of('account', decodeJwt(device).sub ?? '')
    return this.usernames.get(account)?.toLowerCase() === username.toLowerCase()
  }

  private read({ status, body }: Response): Answer {
    const session = body?.token === undefined ? undefined : this.keepSession(body.token)
    const stepUp = body?.stepUp === undefined ? undefined : this.keepStepUp(body.stepUp)
    const { user, passkeys, codes, sessions } = body ?? {}
    if (user?.username) this.usernames.set(this.names.of('account', user.id), user.username)
    return {
      status,
      ...(body?.code && { code: body.code }),
      ...(session && { session }),
      ...(stepUp && { stepUp }),
      ...(body?.challenge && { challenge: this.keepChallenge(body) }),
      ...(passkeys && {
        account: {
          username: body.username,
          email: body.email,
          groups: body.groups,
          passkeys: passkeys.map(({ id }: { id: string }) => this.names.of('passkey', id)).toSorted(),
          hasPassword: body.hasPassword,
          codes: body.recoveryCodesLeft,
        },
      }),
      ...(codes && { codes: codes.map((code: string) => this.names.of('code', code)) }),
      ...(sessions && { sessions: sessions.map(({ id }: { id: string }) => this.names.of('session', id)) }),
    }
  }

  private keepSession(token: string): Session {
    const session = readSession(token, this.names)
    this.sessions.push({ ...session, token })
    return session
  }

  private keepStepUp(token: string): StepUp {
    const stepUp = readStepUp(token, this.names)
    this.stepUps.push({ ...stepUp, token })
    return stepUp
  }

  private keepChallenge(options: CeremonyOptions): Challenge {
    const challenge = readChallenge(options, this.names)
    this.challenges.push({ ...challenge, type: options.rp ? 'create' : 'get', options })
    return challenge
  }
}
