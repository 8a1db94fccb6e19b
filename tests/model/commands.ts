import fc from 'fast-check'
import { type Action, actions, perform } from './actions'
import type { Exchange, Kind } from './history'
import type { Ledger } from './ledger'
import { explain } from './reference/explain'
import type { State } from './reference/state'
import type { World } from './world'

/** The states that the reference model may be in. */
export type Model = { states: State[]; ledger: Ledger }

export type Real = {
  world: World
  /** Part of the usernames of this history. */
  base: string
  /** Ends the server's process and starts it again. */
  restart: (signal: NodeJS.Signals) => Promise<void>
}

type Command = fc.AsyncCommand<Model, Real>

/** Asks the ledger and the reference model to explain what has happened since the last time. */
export function settle(model: Model, { world }: Real): void {
  const exchanges = world.exchanges.splice(0)
  model.ledger.check(exchanges)
  const states = explain(model.states, exchanges)
  if (states.length === 0) {
    const facts = (exchange: Exchange) =>
      JSON.stringify(exchange, (key, value) =>
        ['token', 'options', 'expires', 'at', 'address'].includes(key) || value === null ? undefined : value,
      )
    const states = model.states.map((state) => JSON.stringify(state)).join('\n')
    throw new Error(`The reference model cannot explain\n${exchanges.map(facts).join('\n')}\nafter\n${states}`)
  }
  model.states = states
}

const describe = ({ kind, actor, stale, pick, other, flag, times }: Action) =>
  `${actor} ${kind}(${[stale, pick, other, Number(flag), times].join(' ')})`

/** Several actors at once. */
export class Together implements Command {
  private readonly acts: Action[]
  constructor(acts: Action[]) {
    this.acts = acts
  }
  check = () => true
  async run(model: Model, real: Real) {
    await Promise.all(this.acts.map((action) => perform(real.world, action, real.base)))
    settle(model, real)
  }
  toString = () => this.acts.map(describe).join(' | ')
}

class Wait implements Command {
  private readonly minutes: number
  constructor(minutes: number) {
    this.minutes = minutes
  }
  check = () => true
  async run(_model: Model, { world }: Real) {
    world.ahead += this.minutes * 60_000
  }
  toString = () => `wait(${this.minutes} min)`
}

/** The server's process ends after this many answers to what several actors do at once, and starts again. */
class Restart implements Command {
  private readonly acts: Action[]
  private readonly answers: number
  private readonly signal: NodeJS.Signals
  constructor(acts: Action[], answers: number, signal: NodeJS.Signals) {
    this.acts = acts
    this.answers = answers
    this.signal = signal
  }
  check = () => true
  async run(model: Model, real: Real) {
    const { world, base, restart } = real
    world.isKilling = true
    const acting = Promise.all(this.acts.map((action) => perform(world, action, base)))
    await Promise.race([acting, world.untilAnswered(this.answers)])
    await Promise.all([acting, restart(this.signal)])
    world.isKilling = false
    settle(model, real)
  }
  toString = () => `${this.signal} after ${this.answers} of ${this.acts.map(describe).join(' | ')}`
}

const weights: Record<Action['kind'], number> = {
  'sign up': 4,
  'add a passkey': 6,
  'sign in': 11,
  reauthenticate: 5,
  'ask for a challenge': 3,
  'answer a challenge': 4,
  'remove a passkey': 8,
  'make codes': 4,
  'use a code': 5,
  rename: 8,
  'sign out': 4,
  'sign out everywhere': 3,
  look: 6,
  'list sessions': 3,
  'revoke a session': 3,
  'set a password': 0,
  'remove the password': 0,
  'sign in with a password': 0,
  'sign up with a password': 0,
  'join a group': 3,
  'leave a group': 1,
  'delete a group': 1,
  'set an address': 3,
  'let the app in': 5,
  'redeem a code for the app': 6,
  'use a refresh token': 6,
  'sign out of the app': 2,
  'show an access token': 5,
  'take access away': 2,
  'delete the account': 3,
}
/** What is often rejected; each wrong password hashes. */
const throttledWeights: Partial<typeof weights> = {
  'answer a challenge': 12,
  'use a code': 6,
  'sign in with a password': 4,
}
const passwordWeights: Partial<typeof weights> = {
  'set a password': 8,
  'remove the password': 4,
  'sign in with a password': 6,
  'sign up with a password': 3,
}

function oneOf(weights: Record<string, number>) {
  const names = Object.keys(actions) as Action['kind'][]
  return fc.oneof(...names.map((name) => ({ weight: weights[name] ?? 0, arbitrary: fc.constant(name) })))
}

/** Waits of which no sum is the lifetime of a challenge or a step-up token, 10 minutes, or of a session, 7 days. */
const waits = fc.constantFrom(4, 11, 11, 16, 11_520)

/** Histories: what happens one thing after another, or at once. */
export function histories(kind: Kind, replayPath?: string) {
  const action = fc.record({
    kind: oneOf({
      ...weights,
      ...(kind === 'passwords' && passwordWeights),
      ...(kind === 'throttles' && throttledWeights),
    }),
    actor: fc.nat(2),
    stale: fc.nat(9),
    pick: fc.nat(11),
    other: fc.nat(11),
    flag: fc.boolean(),
    times: fc.constantFrom(1, 1, 1, 1, 1, 1, 2, 3, kind === 'throttles' ? 5 : 2),
  })
  const several = fc.array(action, { minLength: 2, maxLength: 4 })
  const signal = fc.constantFrom<NodeJS.Signals>('SIGKILL', 'SIGKILL', 'SIGTERM')
  const restart = fc.tuple(fc.array(action, { maxLength: 4 }), fc.nat(8), signal)
  const choices: [weight: number, fc.Arbitrary<Command>][] = [
    [6, action.map((one) => new Together([one]))],
    [6, several.map((all) => new Together(all))],
    [2, waits.map((minutes) => new Wait(minutes))],
    [kind === 'restarts' ? 3 : 0, restart.map((parts) => new Restart(...parts))],
  ]
  const command = fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))
  const replay = replayPath === undefined ? {} : { replayPath }
  return fc.commands<Model, Real, false>([command], { maxCommands: 14, size: 'max', ...replay })
}
