import { change, isTaken, type Phase, rejects, type State, sorted, succeeds } from './state'

/* What an operator does. What succeeds is a state of its own, even if it changes nothing: later it would. */

export const joins: Phase = (state, exchange) => {
  const { target = '', group = '' } = exchange.request
  const account = state.accounts[target]
  if (!account) return rejects(state, exchange, 'not_found')
  return succeeds(change(state, target, { groups: sorted([...account.groups, group]) }), exchange, 200)
}

export const leaves: Phase = (state, exchange) => {
  const { target = '', group = '' } = exchange.request
  return succeeds(withoutGroup(state, target, group), exchange, 200)
}

export const deletesGroup: Phase = (state, exchange) => {
  const { group = '' } = exchange.request
  const left = Object.keys(state.accounts).reduce((before, id) => withoutGroup(before, id, group), state)
  return succeeds(left, exchange, 200)
}

function withoutGroup(state: State, id: string, group: string): State {
  const account = state.accounts[id]
  return account ? change(state, id, { groups: account.groups.filter((other) => other !== group) }) : { ...state }
}

/** A retired username is no obstacle: nobody signs in with an address. */
export const setsAddress: Phase = (state, exchange) => {
  const { target = '', email = '' } = exchange.request
  if (!state.accounts[target]) return rejects(state, exchange, 'not_found')
  if (isTaken({ ...state, retired: {} }, email, 0, target)) return rejects(state, exchange, 'invalid_request')
  return succeeds(change(state, target, { email }), exchange, 200)
}
