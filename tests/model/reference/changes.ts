import type { Session } from '../history'
import {
  type Act,
  type AppCode,
  answers,
  bySession,
  change,
  end,
  endGiven,
  hasSteppedUp,
  isTaken,
  type Local,
  maySignOutOthers,
  type Phase,
  rejects,
  renews,
  type State,
  sessionsOf,
  sorted,
  succeeds,
  without,
} from './state'

/* What a session sees and changes, and how sessions end. */

export const looks: Act = (state, _session, { username, email, groups, passkeys, password, codes }, exchange) => {
  const account = {
    username,
    email,
    groups,
    passkeys: Object.keys(passkeys).toSorted(),
    hasPassword: password !== null,
    codes: codes.length,
  }
  return answers(state, exchange, (answer) => JSON.stringify(answer.account) === JSON.stringify(account))
}

const namesOf = (state: State, session: Session, at: number) => sessionsOf(state, session, at).map(({ name }) => name)

/** What begins or ends while the list is read may be in it or not. */
export const beginsList: Act = (state, session, { epoch }, { request }) => [
  { state, local: { account: session.account, epoch, listed: namesOf(state, session, request.at) } },
]
export const listsSessions: Phase = (state, exchange, local) => {
  const { session, at } = exchange.request
  const before = local?.listed ?? []
  const after = session ? namesOf(state, session, at) : []
  return answers(state, exchange, ({ sessions }) => {
    if (!sessions) return false
    const isComplete = before.every((name) => sessions.includes(name) || !after.includes(name))
    const others = sessions.filter((name) => !before.includes(name) && !after.includes(name))
    const unanswered = state.unanswered.filter((account) => account === session?.account)
    const areUnknown = state.opened.every(({ name }) => !others.includes(name))
    return isComplete && areUnknown && others.length <= unanswered.length
  })
}

export const findsOther: Phase = (state, exchange) => {
  const { session, target = '', at } = exchange.request
  const isListed = session !== null && namesOf(state, session, at).includes(target)
  return isListed ? [{ state }] : rejects(state, exchange, 'not_found')
}

export const mayRevoke: Phase = (state, exchange) => {
  const { target, session } = exchange.request
  return target === session?.name ? [{ state }] : bySession(maySignOutOthers)(state, exchange, undefined)
}

export const revokes: Phase = (state, exchange) => {
  const { target = '', session } = exchange.request
  const root = state.opened.find(({ name }) => name === target)?.root
  // What was given in place of it is the same to its owner.
  const successors = state.opened.filter((one) => one.root === root && ![root, session?.name].includes(one.name))
  return succeeds(
    endGiven(end(state, target, ...successors.map(({ name }) => name)), (code) => code.root === root),
    exchange,
    204,
  )
}

export const signsOut: Phase = (state, exchange) => {
  const { session } = exchange.request
  return succeeds(session === null ? state : end(state, session.name), exchange, 204)
}

export const maySignOut: Act = (state, session, account, exchange) =>
  exchange.request.exceptThis ? maySignOutOthers(state, session, account, exchange) : [{ state }]

export const signsOutEverywhere: Act = (state, session, { epoch }, exchange) => {
  const changed = change(state, session.account, { epoch: epoch + 1 })
  if (exchange.request.exceptThis) return [{ state: changed, local: { account: session.account, epoch: epoch + 1 } }]
  return succeeds(changed, exchange, 204)
}

/** A session in place of one that has just ended, unless all of the account's were ended again. */
const renewsAs =
  (changed: (local: Local) => Partial<Session>, carriesStepUp: boolean): Phase =>
  (state, exchange, local) => {
    const { session } = exchange.request
    if (!session || !local || state.accounts[local.account]?.epoch !== local.epoch)
      return rejects(state, exchange, 'not_signed_in')
    const stepsUp = carriesStepUp && hasSteppedUp(exchange.request, session)
    return renews(state, session, exchange, { changed: changed(local), stepsUp })
  }

export const renewsInNextEpoch = renewsAs(({ epoch }) => ({ epoch }), true)
export const renewsWithoutPasskey = renewsAs(() => ({ passkey: null }), false)

export const setsPassword: Act = (state, session, account, exchange) => {
  const { stepUp, password = null, currentPassword, kept = [] } = exchange.request
  if (account.password !== null && stepUp?.method === 'pwd' && currentPassword !== account.password)
    return rejects(state, exchange, currentPassword === undefined ? 'invalid_request' : 'authentication_failed')
  const epoch = account.epoch + 1
  const local = { account: session.account, epoch }
  const all = { state: change(state, session.account, { password, epoch }), local }
  // One that was added meanwhile may go, since nobody has named it.
  const named = Object.entries(account.passkeys).filter(([name]) => kept.includes(name))
  if (named.length === Object.keys(account.passkeys).length) return [all]
  const passkeys = Object.fromEntries(named)
  return [all, { state: change(state, session.account, { password, epoch, passkeys }), local }]
}

const isLastingBy =
  ({ account }: Session, method: Session['method']) =>
  (code: AppCode) =>
    code.isLasting && code.account === account && code.method === method

export const removesPassword: Act = (state, session, { passkeys }, exchange) => {
  if (Object.keys(passkeys).length === 0) return rejects(state, exchange, 'last_way_in')
  const others = sessionsOf(state, session, 0).filter(({ method, name }) => method === 'pwd' && name !== session.name)
  const removed = end(change(state, session.account, { password: null }), ...others.map(({ name }) => name))
  return succeeds(endGiven(removed, isLastingBy(session, 'pwd')), exchange, 204)
}

/** No account is ever without a way in, and a passkey takes along the sessions that it opened. */
export const removesPasskey: Act = (state, session, { passkeys, password }, exchange) => {
  const { passkey = '' } = exchange.request
  if (!(passkey in passkeys)) return rejects(state, exchange, 'not_found')
  if (password === null && Object.keys(passkeys).length === 1) return rejects(state, exchange, 'last_way_in')
  const theirs = sessionsOf(state, session, 0).filter((other) => other.passkey === passkey)
  const removed = change(state, session.account, { passkeys: without(passkeys, passkey) })
  const isGiven = (code: AppCode) => code.isLasting && code.account === session.account && code.passkey === passkey
  const ended = endGiven(end(removed, ...theirs.map(({ name }) => name)), isGiven)
  if (session.passkey === passkey) return [{ state: ended, local: { account: session.account, epoch: session.epoch } }]
  return succeeds(ended, exchange, 204)
}

export const makesCodes: Act = (state, session, _account, exchange) => {
  const codes = exchange.answer?.codes ?? Array.from({ length: 10 }, (_, index) => `lost code ${index}`)
  const others = sessionsOf(state, session, 0).filter(
    ({ method, name }) => method === 'recovery' && name !== session.name,
  )
  const made = end(change(state, session.account, { codes }), ...others.map(({ name }) => name))
  return succeeds(endGiven(made, isLastingBy(session, 'recovery')), exchange, 201)
}

/** The username that it had stays its own. */
export const renames: Act = (state, session, { usernames }, exchange) => {
  const { username = '', at } = exchange.request
  if (isTaken(state, username, at, session.account)) return rejects(state, exchange, 'username_taken')
  const had = sorted([...usernames, username.toLowerCase()])
  return succeeds(change(state, session.account, { username, usernames: had }), exchange, 200)
}

const retiredMilliseconds = 90 * 86_400_000

export const deletes: Act = (state, session, { usernames }, exchange) => {
  const until = exchange.request.at + retiredMilliseconds
  const retired = Object.fromEntries(usernames.map((username) => [username, until]))
  const accounts = without(state.accounts, session.account)
  return succeeds({ ...state, accounts, retired: { ...state.retired, ...retired } }, exchange, 204)
}
