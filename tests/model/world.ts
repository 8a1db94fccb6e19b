import type { Agent } from 'node:http'
import { Client, type Message } from '../support/client'
import type { RegisteredApp } from '../support/openid/fixtures'
import { Authenticator } from '../support/webauthn/authenticator'
import type { Exchange, Request, Session, StepUp } from './history'
import { type Actor, type Held, Kept } from './kept'
import type { Operator, Order } from './operator'

/** What a request shows. */
export type Shown = { actor: Actor; session: Held<Session> | null; stepUp: Held<StepUp> | null }

type Sent = Omit<Message, 'method'> & { query?: string; method?: 'GET' | 'POST'; body?: object | undefined }
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
export class World extends Kept {
  readonly actors: Actor[]
  readonly authenticator: Authenticator
  /** What has happened since the reference model was asked last. */
  exchanges: Exchange[] = []
  /** Whether answers may be lost, because the server is being killed. */
  isKilling = false
  ahead: number
  private onAnswer = () => {}
  private places = 0
  readonly server: Served
  private readonly operator: Operator
  readonly app: RegisteredApp
  private readonly agent: Agent

  constructor({ server, operator, app, agent, addresses, ahead }: WorldParts) {
    super()
    this.server = server
    this.operator = operator
    this.app = app
    this.agent = agent
    this.ahead = ahead
    this.authenticator = new Authenticator(server.origin)
    this.actors = addresses.map((address) => ({ address, session: null, device: null }))
  }

  /** Waits until this many more requests have been answered. */
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
    const exchange = this.begin({ path: name, address: '', isKnown: false, session: null, stepUp: null, ...facts })
    const code = await this.operator.carryOut({ name, account: this.names.idOf(target), group, email })
    exchange.received = this.places++
    exchange.answer = code === null ? { status: 200 } : { status: 400, code }
  }

  private begin(asked: Omit<Request, 'at'>): Exchange {
    const request = { at: Date.now() + this.ahead, ...asked }
    const exchange = { request, answer: null, sent: this.places++, received: Number.POSITIVE_INFINITY }
    this.exchanges.push(exchange)
    return exchange
  }

  /** Sends JSON by POST and records the outcome. */
  send(path: string, by: Shown, facts: Partial<Request> = {}, body?: object) {
    return this.request(path, by, facts, { body })
  }

  /** Sends a request and records the outcome. */
  async request(
    path: string,
    { actor, session, stepUp }: Shown,
    facts: Partial<Request>,
    { query, method = 'POST', ...message }: Sent,
  ) {
    const client = new Client(this.server, {
      agent: this.agent,
      headers: {
        'X-Forwarded-For': actor.address,
        'X-Clock-Ahead': String(this.ahead),
        ...(session && { Authorization: `Bearer ${session.token}` }),
        ...(stepUp && { 'Latchkey-Step-Up': stepUp.token }),
        ...(actor.device && { Cookie: `latchkey-device=${actor.device}` }),
      },
    })
    const { address } = actor
    const isKnown = this.knows(actor, facts.username)
    const exchange = this.begin({ path, address, isKnown, session, stepUp, ...facts })
    const target = query === undefined ? path : `${path}?${query}`
    const response = await client.request(method, target, message).catch((error: unknown) => {
      if (this.isKilling) return null
      throw error
    })
    if (response === null) return null
    exchange.received = this.places++
    exchange.answer = { ...this.read(response), ...this.readForApp(response, exchange.request, this.app) }
    if (path === '/api/oauth/logout') exchange.answer.asks = !response.headers.location?.startsWith('/signin')
    this.onAnswer()
    actor.device = client.jar.get('latchkey-device') ?? actor.device
    const opened = this.sessions.at(-1)
    if (exchange.answer.session && opened) actor.session = opened
    return { ...exchange.answer, body: response.body }
  }
}
