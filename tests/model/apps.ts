import { type Act, answers, isGood, type Phase, refuses, type State, succeeds } from './state'

/* What people let an app have, and what it gets. Nothing that a grant gave outlives what must end it. */

const codeLifetime = 60_000

export const isSignedIn: Phase = (state, exchange) =>
  isGood(state, exchange.request.session, exchange.request.at)
    ? [{ state }]
    : refuses(state, exchange, 'login_required')

/** A trusted app asks nobody. */
export const savesGrant: Phase = (state, exchange) => {
  const { session, at } = exchange.request
  const { times, stands } = state.grants[session?.account ?? ''] ?? { times: 0, stands: false }
  if (stands) return [{ state }]
  if (!isGood(state, session, at)) return refuses(state, exchange, 'login_required')
  const grants = sortedEntries({ ...state.grants, [session.account]: { times: times + 1, stands: true } })
  return [{ state: { ...state, grants } }]
}

/** A code is of a session that nothing has ended, and of a grant that stands. */
export const issuesCode: Phase = (state, exchange) => {
  const { session, at } = exchange.request
  const grant = session && state.grants[session.account]
  if (!grant?.stands || !isGood(state, session, at)) return refuses(state, exchange, 'login_required')
  const { appCode = 'lost' } = exchange.answer ?? {}
  const { account, root } = session
  const issued = { account, root, grant: grant.times, expires: at + codeLifetime, isUsed: false, isEnded: false }
  const appCodes = sortedEntries({ ...state.appCodes, [appCode]: issued })
  return answers({ ...state, appCodes }, exchange, (answer) => answer.appCode !== undefined)
}

export const removesAccess: Act = (state, { account }, _account, exchange) => {
  const grant = state.grants[account]
  if (!grant?.stands) return refuses(state, exchange, 'not_found')
  return succeeds({ ...state, grants: { ...state.grants, [account]: { ...grant, stands: false } } }, exchange, 204)
}

/** One use wins, and another one ends what the first gave. */
export const consumesCode: Phase = (state, exchange) => {
  const { appCode = '' } = exchange.request
  const code = state.appCodes[appCode]
  if (!code) return refuses(state, exchange, 'invalid_grant')
  const change = code.isUsed ? { isEnded: true } : { isUsed: true }
  const changed = { ...state, appCodes: { ...state.appCodes, [appCode]: { ...code, ...change } } }
  return code.isUsed ? refuses(changed, exchange, 'invalid_grant') : [{ state: changed }]
}

/** Whether grant, account and session stand, and the code was not used twice. */
function stands(state: State, name = '', at: number): boolean {
  const code = state.appCodes[name]
  if (!code || code.isEnded || !(code.account in state.accounts)) return false
  const grant = state.grants[code.account]
  const isLive = state.opened.some((one) => one.root === code.root && isGood(state, one, at))
  return isLive && grant?.stands === true && grant.times === code.grant
}

export const issuesTokens: Phase = (state, exchange) => {
  const { appCode, at } = exchange.request
  const isInTime = at < (state.appCodes[appCode ?? '']?.expires ?? 0)
  return isInTime && stands(state, appCode, at)
    ? succeeds(state, exchange, 200)
    : refuses(state, exchange, 'invalid_grant')
}

export const showsToken: Phase = (state, exchange) => {
  const { appCode, tokenExpires = 0, at } = exchange.request
  return at < tokenExpires && stands(state, appCode, at)
    ? succeeds(state, exchange, 200)
    : refuses(state, exchange, 'invalid_token')
}

/** States are compared as text. */
const sortedEntries = <T>(record: Record<string, T>) =>
  Object.fromEntries(Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1)))
