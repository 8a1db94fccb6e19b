import type { Exchange } from '../history'
import {
  type Account,
  type Act,
  type AppCode,
  answers,
  end,
  isGood,
  type Outcome,
  type Phase,
  rejects,
  type State,
  succeeds,
} from './state'

/* What people let an app have, and what it gets. Nothing that a grant gave outlives what must end it. */

const codeLifetime = 60_000

export const isSignedIn: Phase = (state, exchange) =>
  isGood(state, exchange.request.session, exchange.request.at)
    ? [{ state }]
    : rejects(state, exchange, 'login_required')

/** A trusted app asks nobody. */
export const savesGrant: Phase = (state, exchange) => {
  const { session, at } = exchange.request
  const { times, stands } = state.grants[session?.account ?? ''] ?? { times: 0, stands: false }
  if (stands) return [{ state }]
  if (!isGood(state, session, at)) return rejects(state, exchange, 'login_required')
  const grants = sortedEntries({ ...state.grants, [session.account]: { times: times + 1, stands: true } })
  return [{ state: { ...state, grants } }]
}

/** A code is of a session that nothing has ended, and of a grant that stands. */
export const issuesCode: Phase = (state, exchange) => {
  const { session, at } = exchange.request
  const grant = session && state.grants[session.account]
  if (!grant?.stands || !isGood(state, session, at)) return rejects(state, exchange, 'login_required')
  const { appCode = 'lost' } = exchange.answer ?? {}
  const { account, root, epoch, passkey, method } = session
  const { isLasting = false } = exchange.request
  const given = { epoch, passkey, method, isLasting, family: [], refreshedAt: 0 }
  const issued = {
    account,
    root,
    grant: grant.times,
    expires: at + codeLifetime,
    isUsed: false,
    isEnded: false,
    ...given,
  }
  const appCodes = sortedEntries({ ...state.appCodes, [appCode]: issued })
  return answers({ ...state, appCodes }, exchange, (answer) => answer.appCode !== undefined)
}

export const removesAccess: Act = (state, { account }, _account, exchange) => {
  const grant = state.grants[account]
  if (!grant?.stands) return rejects(state, exchange, 'not_found')
  return succeeds({ ...state, grants: { ...state.grants, [account]: { ...grant, stands: false } } }, exchange, 204)
}

/** One use wins, and another one ends what the first gave. */
export const consumesCode: Phase = (state, exchange) => {
  const { appCode = '' } = exchange.request
  const code = state.appCodes[appCode]
  if (!code) return rejects(state, exchange, 'invalid_grant')
  const change = code.isUsed ? { isEnded: true } : { isUsed: true }
  const changed = { ...state, appCodes: { ...state.appCodes, [appCode]: { ...code, ...change } } }
  return code.isUsed ? rejects(changed, exchange, 'invalid_grant') : [{ state: changed }]
}

/** A grant that was made again is another one. */
const isGranted = (state: State, { account, grant }: AppCode) =>
  state.grants[account]?.stands === true && state.grants[account].times === grant && account in state.accounts

/** Whether grant, account and session stand, and the code was not used twice. A family of refresh tokens needs no session. */
function stands(state: State, name = '', at: number): boolean {
  const code = state.appCodes[name]
  if (!code || code.isEnded || !isGranted(state, code)) return false
  const { epoch, passkeys } = state.accounts[code.account] as Account
  if (code.family.length > 0) return epoch === code.epoch && (code.passkey === null || code.passkey in passkeys)
  return state.opened.some((one) => one.root === code.root && isGood(state, one, at))
}

export const mayGiveTokens: Phase = (state, exchange) => {
  const { appCode, at } = exchange.request
  const isInTime = at < (state.appCodes[appCode ?? '']?.expires ?? 0)
  return isInTime && stands(state, appCode, at) ? [{ state }] : rejects(state, exchange, 'invalid_grant')
}

const changeCode = (state: State, name: string, change: Partial<AppCode>): State => ({
  ...state,
  appCodes: { ...state.appCodes, [name]: { ...(state.appCodes[name] as AppCode), ...change } },
})

/** A token that no answer has brought. */
const lost = 'lost'

export const beginsFamily: Phase = (state, exchange) => {
  const { appCode = '', at } = exchange.request
  const code = state.appCodes[appCode] as AppCode
  const { refreshToken } = exchange.answer ?? {}
  if (!code.isLasting) return answers(state, exchange, ({ status }) => status === 200 && refreshToken === undefined)
  if (code.isEnded || !isGranted(state, code)) return rejects(state, exchange, 'invalid_grant')
  const begun = changeCode(state, appCode, { family: [refreshToken ?? lost], refreshedAt: at })
  return answers(begun, exchange, ({ status }) => status === 200 && refreshToken !== undefined)
}

const idle = 30 * 86_400_000
/** Of ten seconds: sure to be within, and sure to be past, whatever the machine does in between. */
const [surelyWithin, surelyPast] = [5_000, 60_000]

const familyOf = (state: State, token: string) =>
  Object.entries(state.appCodes).find(([, { family }]) => family.includes(token))

/** A refresh token is good once, but for ten seconds in which it gives the same next one; else a used one ends the family. */
export const usesRefreshToken: Phase = (state, exchange) => {
  const { refreshToken: token = '', at } = exchange.request
  const [name = '', code] = familyOf(state, token) ?? []
  if (!code || !isGranted(state, code)) return rejects(state, exchange, 'invalid_grant')
  if (code.family[0] !== token) return usesAgain(state, exchange, name, code)
  if (code.isEnded || at >= code.refreshedAt + idle) return rejects(state, exchange, 'invalid_grant')
  const family = [exchange.answer?.refreshToken ?? lost, ...code.family]
  return [{ state: changeCode(state, name, { family, refreshedAt: at }) }]
}

function usesAgain(
  state: State,
  exchange: Exchange,
  name: string,
  { family, isEnded, refreshedAt }: AppCode,
): Outcome[] {
  const [newest = lost, previous] = family
  const { refreshToken: token, at } = exchange.request
  const since = at - refreshedAt
  const ended = rejects(changeCode(state, name, { isEnded: true }), exchange, 'invalid_grant')
  if (isEnded || previous !== token || since > surelyPast) return ended
  // The model may not know the newest one yet. What rejects otherwise is looked at next.
  const given = exchange.answer?.refreshToken ?? newest
  const isSame = given === newest || newest === lost
  const repeated = isSame ? [{ state: changeCode(state, name, { family: [given, ...family.slice(1)] }) }] : []
  return since < surelyWithin ? repeated : [...repeated, ...ended]
}

export const refreshes: Phase = (state, exchange) => {
  const { refreshToken = '', at } = exchange.request
  const [name] = familyOf(state, refreshToken) ?? []
  return stands(state, name, at) ? succeeds(state, exchange, 200) : rejects(state, exchange, 'invalid_grant')
}

/** Only an ID token of this very session ends it without a question. */
export const acceptsHint: Phase = (state, exchange) => {
  const { session, hint, at } = exchange.request
  if (!isGood(state, session, at)) return answers(state, exchange, ({ asks }) => asks === false)
  const isOwn = hint?.account === session.account && hint.root === session.root
  return isOwn ? [{ state }] : answers(state, exchange, ({ asks }) => asks === true)
}

export const endsByHint: Phase = (state, exchange) =>
  answers(end(state, exchange.request.session?.name ?? ''), exchange, ({ asks }) => asks === false)

export const showsToken: Phase = (state, exchange) => {
  const { appCode, tokenExpires = 0, at } = exchange.request
  return at < tokenExpires && stands(state, appCode, at)
    ? succeeds(state, exchange, 200)
    : rejects(state, exchange, 'invalid_token')
}

/** States are compared as text. */
const sortedEntries = <T>(record: Record<string, T>) =>
  Object.fromEntries(Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1)))
