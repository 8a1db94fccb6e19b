import type { Answer, Exchange, Request, Session } from '../history'

export type Account = {
  username: string
  /** In lower case: all that it has or had, which nobody else can take. */
  usernames: readonly string[]
  email: string | null
  groups: readonly string[]
  /** Whether each has shown user verification. */
  passkeys: Record<string, boolean>
  password: string | null
  codes: readonly string[]
  epoch: number
}

export type State = {
  accounts: Record<string, Account>
  /** Sessions that have been opened. */
  opened: readonly Session[]
  /** Whose sessions may have been opened by a request that had no answer: nobody has their names. */
  unanswered: readonly string[]
  /** Sessions that have ended and challenges that were used. */
  over: readonly string[]
  /** Until when nobody can take the usernames of deleted accounts. */
  retired: Record<string, number>
  /** What people let the app have, by account: how often they have done so, and whether it stands. */
  grants: Record<string, { times: number; stands: boolean }>
  /** Codes that the app got. */
  appCodes: Record<string, AppCode>
}

export type AppCode = {
  account: string
  /** The first of the sessions that the one it was issued in was given in place of */
  root: string
  /** Which of the account's grants it is of */
  grant: number
  expires: number
  isUsed: boolean
  /** Used twice, or revoked */
  isEnded: boolean
  /** Of the session */
  epoch: number
  passkey: string | null
  method: Session['method']
  isLasting: boolean
  /** The refresh tokens that it gave, the newest first; none before it is redeemed */
  family: readonly string[]
  refreshedAt: number
}

export type Local = { account: string; epoch: number; stepsUp?: boolean; listed?: string[] }
export type Outcome = { state: State; local?: Local; isDone?: true }
/** One atomic part of a request: every outcome that its answer permits. */
export type Phase = (state: State, exchange: Exchange, local: Local | undefined) => Outcome[]
export type Act = (state: State, session: Session, account: Account, exchange: Exchange) => Outcome[]

export const nothing: State = {
  accounts: {},
  opened: [],
  unanswered: [],
  over: [],
  retired: {},
  grants: {},
  appCodes: {},
}

export const nobody = { email: null, groups: [], passkeys: {}, password: null, codes: [], epoch: 0 }

export const sorted = (names: readonly string[]) => [...new Set(names)].toSorted()
export const end = (state: State, ...names: string[]) => ({ ...state, over: sorted([...state.over, ...names]) })
export const without = <T>(record: Record<string, T>, name: string) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== name))

export function change(state: State, id: string, account: Partial<Account>): State {
  const changed = { ...(state.accounts[id] as Account), ...account }
  const names = sorted([...Object.keys(state.accounts), id])
  const accounts = Object.fromEntries(
    names.map((name) => [name, name === id ? changed : (state.accounts[name] as Account)]),
  )
  return { ...state, accounts }
}

/** The outcome if the answer says this, or if there was none. */
export const answers = (state: State, { answer }: Exchange, says: (answer: Answer) => boolean): Outcome[] =>
  answer === null || says(answer) ? [{ state, isDone: true }] : []
export const rejects = (state: State, exchange: Exchange, ...codes: string[]) =>
  answers(state, exchange, ({ code }) => code !== undefined && codes.includes(code))
export const succeeds = (state: State, exchange: Exchange, status: number) =>
  answers(state, exchange, (answer) => answer.status === status)

/** Ends for good what the app got for longer than a session. */
export function endGiven(state: State, isMeant: (code: AppCode) => boolean): State {
  const codes = Object.entries(state.appCodes).map(([name, code]) => [
    name,
    isMeant(code) ? { ...code, isEnded: true } : code,
  ])
  return { ...state, appCodes: Object.fromEntries(codes) }
}

export const ownerOf = (state: State, passkey = '') =>
  Object.entries(state.accounts).find(([, { passkeys }]) => passkey in passkeys)
export const accountNamed = (state: State, username = '') =>
  Object.entries(state.accounts).find(([, account]) => account.username.toLowerCase() === username.toLowerCase())

/** Whether a username is another account's, was, or equals its address. */
export function isTaken(state: State, username: string, at: number, account?: string): boolean {
  const key = username.toLowerCase()
  const isOthers = Object.entries(state.accounts).some(
    ([id, { usernames, email }]) => id !== account && (usernames.includes(key) || email?.toLowerCase() === key),
  )
  return isOthers || at < (state.retired[key] ?? 0)
}

/** A session is good if nothing has ended it. Nothing brings it back. */
export function isGood(state: State, session: Session | null, at: number): session is Session {
  if (session === null || at >= session.expires || state.over.includes(session.name)) return false
  return state.accounts[session.account]?.epoch === session.epoch
}

export const sessionsOf = (state: State, { account }: Session, at: number) =>
  state.opened.filter((session) => session.account === account && isGood(state, session, at))

/** What needs a session is rejected after its end. */
export const bySession =
  (act: Act): Phase =>
  (state, exchange) => {
    const { session, at } = exchange.request
    if (!isGood(state, session, at)) return rejects(state, exchange, 'not_signed_in')
    return act(state, session, state.accounts[session.account] as Account, exchange)
  }

/** What changes an account needs proof of a credential, shown for this very session. */
export const byCredential = bySession((state, session, _account, exchange) =>
  hasSteppedUp(exchange.request, session) ? [{ state }] : rejects(state, exchange, 'reauthentication_required'),
)

export const hasSteppedUp = ({ stepUp, at }: Request, { name, account, epoch }: Session) =>
  stepUp !== null &&
  at < stepUp.expires &&
  stepUp.session === name &&
  stepUp.account === account &&
  stepUp.epoch === epoch

const stepUpLifetime = 600_000

/** What ends other sessions needs one whose credential was shown lately, or such a proof. */
export const maySignOutOthers: Act = (state, session, _account, exchange) => {
  const isRecent = exchange.request.at < session.shownAt + stepUpLifetime
  if (isRecent || hasSteppedUp(exchange.request, session)) return [{ state }]
  return rejects(state, exchange, 'reauthentication_required')
}

/** The answer's new session: of this account, in its present epoch, in place of the request's. */
export function opens(state: State, exchange: Exchange, expected: Partial<Session>, stepsUp: boolean): Outcome[] {
  const { answer, request } = exchange
  const ended = request.session === null ? state : end(state, request.session.name)
  if (answer === null) {
    const unanswered = [...ended.unanswered, expected.account ?? ''].toSorted()
    return [{ state: { ...ended, unanswered }, isDone: true }]
  }
  const { session, stepUp } = answer
  if (session === undefined || answer.status >= 300) return []
  const isExpected = Object.entries(expected).every(([key, value]) => session[key as keyof Session] === value)
  const isBound = stepUp === undefined || (stepUp.session === session.name && stepUp.account === session.account)
  // Apps know a session by its first: a session follows the request's, or is a first one.
  const mayFollow = request.session?.account === session.account ? [session.name, request.session.root] : [session.name]
  if (!mayFollow.includes(session.root)) return []
  if (!isExpected || !isBound || (stepUp !== undefined) !== stepsUp) return []
  const opened = [...ended.opened, session].toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return [{ state: { ...ended, opened }, isDone: true }]
}

/**
 * A session in place of the request's: it proves no credential anew, so it ends when that one would have.
 *
 * @param stepsUp whether the proof that the request had goes on in it
 */
export const renews = (
  state: State,
  session: Session,
  exchange: Exchange,
  { changed, stepsUp }: { changed: Partial<Session>; stepsUp: boolean },
) => {
  const { account, epoch, method, passkey, expires, shownAt, root } = { ...session, ...changed }
  return opens(state, exchange, { account, epoch, method, passkey, expires, shownAt, root }, stepsUp)
}
