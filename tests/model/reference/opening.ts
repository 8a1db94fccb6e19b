import type { Challenge } from '../history'
import {
  type Act,
  accountNamed,
  answers,
  bySession,
  change,
  end,
  hasSteppedUp,
  isGood,
  isTaken,
  type Local,
  nobody,
  opens,
  ownerOf,
  type Phase,
  rejects,
  succeeds,
} from './state'

/* How accounts and sessions begin. */

/** A challenge serves once, whatever comes of it. */
export const consumesChallenge: Phase = (state, exchange) => {
  const { challenge, at } = exchange.request
  const { name, expires } = challenge as Challenge
  if (at >= expires || state.over.includes(name)) return rejects(state, exchange, 'authentication_failed')
  return [{ state: end(state, name) }]
}

export const beginsRegistration: Phase = (state, exchange) => {
  const { session, username, at } = exchange.request
  if (isGood(state, session, at)) {
    if (!hasSteppedUp(exchange.request, session)) return rejects(state, exchange, 'reauthentication_required')
    const { account, name } = session
    return answers(state, exchange, ({ challenge }) => challenge?.account === account && challenge.session === name)
  }
  if (username === undefined) return rejects(state, exchange, 'invalid_request')
  if (isTaken(state, username, at)) return rejects(state, exchange, 'username_taken')
  return answers(state, exchange, ({ challenge }) => challenge?.username === username)
}

export const mayRegister: Phase = (state, exchange) => {
  const { session, challenge, at } = exchange.request
  const { username, session: asking } = challenge as Challenge
  const isAsking = isGood(state, session, at) && session.name === asking
  const isAllowed = username === null ? isAsking : !isGood(state, session, at)
  return isAllowed ? [{ state }] : rejects(state, exchange, 'authentication_failed')
}

const addsPasskey: Act = (state, { account }, { passkeys }, exchange) => {
  const { passkey = '', verified = false } = exchange.request
  if (ownerOf(state, passkey)) return rejects(state, exchange, 'passkey_taken')
  return succeeds(change(state, account, { passkeys: { ...passkeys, [passkey]: verified } }), exchange, 201)
}

export const registers: Phase = (state, exchange, local) => {
  const { challenge, passkey = '', verified = false, at } = exchange.request
  const { account, username } = challenge as Challenge
  if (username === null) return bySession(addsPasskey)(state, exchange, local)
  const isPasskeyTaken = ownerOf(state, passkey) !== undefined
  const id = account as string
  const isNameTaken = isTaken(state, username, at)
  if (isPasskeyTaken && isNameTaken) return rejects(state, exchange, 'passkey_taken', 'username_taken')
  if (isPasskeyTaken) return rejects(state, exchange, 'passkey_taken')
  if (isNameTaken) return rejects(state, exchange, 'username_taken')
  const made = { ...nobody, username, usernames: [username.toLowerCase()], passkeys: { [passkey]: verified } }
  return [{ state: change(state, id, made), local: { account: id, epoch: 0 } }]
}

export const opensNew: Phase = (state, exchange, local) => {
  const { passkey = null } = exchange.request
  const { account, epoch } = local as Local
  const method = passkey === null ? 'pwd' : 'passkey'
  if (state.accounts[account]?.epoch !== epoch) return rejects(state, exchange, 'authentication_failed')
  return opens(state, exchange, { account, epoch, method, passkey }, true)
}

/** A challenge that a session asked for serves in that session alone. */
export const mayAnswer: Phase = (state, exchange) => {
  const { session, challenge, at } = exchange.request
  const asking = challenge?.session ?? null
  const isAllowed = asking === null || (isGood(state, session, at) && session.name === asking)
  return isAllowed ? [{ state }] : rejects(state, exchange, 'authentication_failed')
}

export const findsPasskey: Phase = (state, exchange) => {
  const { challenge, passkey = '', verified = false } = exchange.request
  const { account, username } = challenge as Challenge
  const [id, owner] = ownerOf(state, passkey) ?? []
  if (!id || !owner) return rejects(state, exchange, 'unknown_passkey')
  const isLimited = account !== null && account !== id
  if (isLimited || (username !== null && accountNamed(state, username)?.[0] !== id))
    return rejects(state, exchange, 'authentication_failed')
  // Whoever has shown verification before and does not now may be somebody who found the device unlocked.
  const stepsUp = verified || !owner.passkeys[passkey]
  return [{ state, local: { account: id, epoch: owner.epoch, stepsUp } }]
}

export const opensByPasskey: Phase = (state, exchange, local) => {
  const { account: id, epoch, stepsUp = true } = local as Local
  const { passkey = '', verified = false } = exchange.request
  const { passkeys = {}, epoch: current } = state.accounts[id] ?? {}
  if (current !== epoch || !(passkey in passkeys)) return rejects(state, exchange, 'authentication_failed')
  const used = change(state, id, { passkeys: { ...passkeys, [passkey]: verified || passkeys[passkey] === true } })
  return opens(used, exchange, { account: id, epoch, method: 'passkey', passkey }, stepsUp)
}

export const findsAccount: Phase = (state, exchange) => {
  const { username, password, code } = exchange.request
  const [id, account] = accountNamed(state, username) ?? []
  const isRight = code === undefined ? account?.password === password : account?.codes.includes(code)
  if (!id || !account || !isRight) return rejects(state, exchange, 'authentication_failed')
  return [{ state, local: { account: id, epoch: account.epoch } }]
}

/** What was shown must still be the account's when the session opens; a code is used up by it. */
export const opensByPasswordOrCode: Phase = (state, exchange, local) => {
  const { account: id, epoch } = local as Local
  const { password, code } = exchange.request
  const account = state.accounts[id]
  const isRight = code === undefined ? account?.password === password : account?.codes.includes(code)
  if (!account || account.epoch !== epoch || !isRight) return rejects(state, exchange, 'authentication_failed')
  const method = code === undefined ? 'pwd' : 'recovery'
  const used = change(state, id, { codes: account.codes.filter((other) => other !== code) })
  return opens(used, exchange, { account: id, epoch, method, passkey: null }, true)
}

export const createsWithPassword: Phase = (state, exchange) => {
  const { username = '', password = '', at } = exchange.request
  if (isTaken(state, username, at)) return rejects(state, exchange, 'username_taken')
  const id = exchange.answer?.session?.account
  if (id === undefined) return []
  return [
    {
      state: change(state, id, { ...nobody, username, usernames: [username.toLowerCase()], password }),
      local: { account: id, epoch: 0 },
    },
  ]
}
