import type { Exchange } from '../history'
import { phases } from './phases'
import type { Outcome, State } from './state'

type Place = { phase: number; local: Outcome['local'] } | 'done'

/**
 * The states that the reference model can be in after requests that ran side by side: it looks for every order of their
 * phases in which the model gives the same answers (Herlihy and Wing, "Linearizability"). A request that was answered
 * before another was sent comes first. One without an answer may have happened, in part or not at all.
 *
 * @returns no state if nothing explains the answers
 */
export function explain(states: readonly State[], exchanges: readonly Exchange[]): State[] {
  const results = new Map<string, State>()
  const seen = new Set<string>()

  function explore(state: State, places: readonly Place[]) {
    const key = JSON.stringify([state, places])
    if (seen.has(key)) return
    seen.add(key)
    const open = exchanges.flatMap((exchange, index) => (places[index] === 'done' ? [] : [{ exchange, index }]))
    const answered = open.filter(({ exchange }) => exchange.answer !== null)
    if (answered.length === 0) results.set(JSON.stringify(state), state)
    const horizon = Math.min(...answered.map(({ exchange }) => exchange.received))
    const next = open
      .filter(({ exchange }) => exchange.sent <= horizon)
      .map(({ exchange, index }) => ({ exchange, index, outcomes: advance(state, exchange, places[index] as Place) }))
    // What ends a request and changes nothing is in nobody's way: then no other order needs a look.
    const reading = next.find(({ exchange, outcomes: [outcome, ...others] }) => {
      return exchange.answer !== null && outcome?.place === 'done' && outcome.state === state && others.length === 0
    })
    for (const { index, outcomes } of reading ? [reading] : next) {
      for (const outcome of outcomes) explore(outcome.state, places.with(index, outcome.place))
    }
  }
  const start: Place = { phase: 0, local: undefined }
  for (const state of states)
    explore(
      state,
      exchanges.map(() => start),
    )
  return [...results.values()]
}

function advance(state: State, exchange: Exchange, place: Place) {
  if (place === 'done') return []
  const phase = phases[exchange.request.path]?.[place.phase]
  if (!phase) throw new Error(`The reference model has no phase ${place.phase} of ${exchange.request.path}.`)
  const outcomes = phase(state, exchange, place.local).map(({ state, local, isDone }) => ({
    state,
    place: isDone ? ('done' as const) : { phase: place.phase + 1, local },
  }))
  // A rate limit may reject at any place; whether it may at this time, the ledger says.
  return exchange.answer?.code === 'too_many_attempts' ? [{ state, place: 'done' as const }, ...outcomes] : outcomes
}
