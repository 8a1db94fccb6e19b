import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import fc from 'fast-check'
import type { RegisteredApp } from '../support/openid/fixtures'
import type { Server } from '../support/server/server'
import type { Action } from './actions'
import { audit } from './audit'
import { histories, type Model, type Real, Together } from './commands'
import type { Kind, Limits } from './history'
import { Ledger } from './ledger'
import type { Operator } from './operator'
import { nothing } from './reference/state'
import { World } from './world'

export type Run = {
  count: number
  seed: number
  /** fast-check's own way to a history that failed. */
  path?: string | undefined
  replayPath?: string | undefined
}

const windowMilliseconds = 900_000
/** Low enough for a history to reach them, or too high for any. */
export const limitsOf = (kind: Kind): Limits =>
  kind === 'throttles'
    ? { address: 3, password: 1, windowMilliseconds }
    : { address: 10_000, password: 10_000, windowMilliseconds }

/** Each history begins at the same place of the rate limits' window, five minutes after its beginning. */
const startAhead = (earliest: number) =>
  Math.ceil((Date.now() + earliest) / windowMilliseconds) * windowMilliseconds + 300_000 - Date.now()

const signUp = (actor: number): Action => ({
  kind: 'sign up',
  actor,
  pick: actor,
  other: 1,
  stale: 9,
  flag: false,
  times: 1,
})

/** A network of its own, so that histories share no rate limit: RFC 4193. */
function randomAddresses(): string[] {
  const [first, second, third] = [randomBytes(1), randomBytes(2), randomBytes(2)].map((part) => part.toString('hex'))
  return [1, 2, 3].map((subnet) => `fd${first}:${second}:${third}:${subnet}::1`)
}

/** Runs histories one after another. @throws an error that says how to replay the first that failed */
export async function runHistories(
  server: Server,
  operator: Operator,
  app: RegisteredApp,
  kind: Kind,
  { count, seed, path, replayPath }: Run,
): Promise<void> {
  const limits = limitsOf(kind)
  const agent = new Agent({ keepAlive: true })
  let ahead = 0
  let attempts = Number.POSITIVE_INFINITY

  async function restart(signal: NodeJS.Signals) {
    await server.kill(signal)
    agent.destroy()
    await server.restart()
  }

  async function run(commands: Iterable<fc.AsyncCommand<Model, Real>>) {
    // What the server deletes by its clock is gone for later histories, too, so these do not turn it back.
    const world = new World({
      ...{ server, operator, app, agent },
      addresses: randomAddresses(),
      ahead: startAhead(kind === 'restarts' ? ahead : 0),
    })
    const setup = {
      model: { states: [nothing], ledger: new Ledger(limits) },
      real: { world, base: randomBytes(6).toString('hex'), restart },
    }
    await new Together([signUp(0), signUp(1)]).run(setup.model, setup.real)
    await fc.asyncModelRun(() => setup, commands)
    await audit(setup.model, setup.real)
    ahead = world.ahead
  }

  const property = fc.asyncProperty(histories(kind, replayPath), async (commands) => {
    // Once a history has failed, shorter ones are tried for a while.
    attempts -= 1
    if (attempts < 0) return
    await run(commands).catch((error: unknown) => {
      attempts = Math.min(attempts, 60)
      throw error
    })
  })
  const details = await fc.check(property, { numRuns: count, seed, ...(path !== undefined && { path }) })
  agent.destroy()
  if (details.failed) throw new Error(report(kind, details))
}

function report<T>(kind: Kind, details: fc.RunDetails<T>): string {
  const { seed, counterexamplePath, errorInstance } = details
  const replay = `npm run test:model -- --kind ${kind} --seed ${seed} --path ${counterexamplePath}`
  return `${fc.defaultReportMessage(details)}\nReplay: ${replay} --replay-path (as above)\n${errorInstance}`
}
