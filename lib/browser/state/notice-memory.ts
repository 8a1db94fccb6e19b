import type { PostPath } from '@/lib/api/endpoints'
import type { EventType } from '@/lib/api/schemas'
import { readCookie, writeCookie } from './cookies'

/*
 * What this browser remembers of an owner's notices, in a cookie: it outlives sign-out, and the server reads it too. It is
 * kept with the account only if a passkey proves the owner, because an attacker who is signed in must not be able to dismiss
 * what the owner sees. Actions of this browser need no notice in it: whoever took them could dismiss their notices, too.
 */

export interface NoticeMemory {
  /** By account, the time of the newest dismissed notice. All times are milliseconds since 1970 on the server's clock. */
  dismissed: Map<string, number>
  /** Actions of this browser, each with the interval in which it took place. */
  own: OwnAction[]
}

interface OwnAction {
  type: EventType
  from: number
  to: number
}

/** So that the cookie stays well under 1 KiB. */
const maxAccounts = 8
const maxSignIns = 12
const maxChanges = 24
/** A Date header has whole seconds, and the hosts of a split deployment have a clock each. */
const clockTolerance = 2_000

const codes: [EventType, string][] = [
  ['signed_in', 's'],
  ['passkey_added', 'a'],
  ['passkey_removed', 'r'],
  ['username_changed', 'u'],
  ['password_changed', 'p'],
  ['password_removed', 'n'],
  ['recovery_codes_made', 'c'],
  ['signed_out_everywhere', 'o'],
]

/** `<account>.<time>~...|<action><from>.<length>~...`, times in base 36. What does not parse is left out. */
export function parseNoticeMemory(text: string | null): NoticeMemory {
  const [accounts = '', actions = ''] = (text ?? '').split('|')
  const dismissed = accounts.split('~').flatMap((entry): [string, number][] => {
    const [, id, time] = /^([\w-]+)\.([\da-z]+)$/.exec(entry) ?? []
    return id && time ? [[id, Number.parseInt(time, 36)]] : []
  })
  const own = actions.split('~').flatMap((entry) => {
    const [, code, from, length] = /^([a-z])([\da-z]+)\.([\da-z]+)$/.exec(entry) ?? []
    const [type] = codes.find(([, one]) => one === code) ?? []
    if (!type || !from || !length) return []
    const start = Number.parseInt(from, 36)
    return [{ type, from: start, to: start + Number.parseInt(length, 36) }]
  })
  return { dismissed: new Map(dismissed), own }
}

export function formatNoticeMemory({ dismissed, own }: NoticeMemory): string {
  const accounts = [...dismissed].slice(-maxAccounts).map(([id, time]) => `${id}.${time.toString(36)}`)
  // Limited separately, so that frequent sign-ins do not push changes out.
  const signIns = own.filter(({ type }) => type === 'signed_in').slice(-maxSignIns)
  const changes = own.filter(({ type }) => type !== 'signed_in').slice(-maxChanges)
  const actions = [...signIns, ...changes].flatMap(({ type, from, to }) => {
    const [, code] = codes.find(([one]) => one === type) ?? []
    return code ? [`${code}${from.toString(36)}.${(to - from).toString(36)}`] : []
  })
  return `${accounts.join('~')}|${actions.join('~')}`
}

/** `until`: the time of the newest notice shown. */
export const rememberDismissal = (accountId: string, until: number): void =>
  write(withDismissed(read(), accountId, until))

/** Never earlier than before: a tab that was loaded before the last dismissal shows older notices. */
export function withDismissed({ dismissed, own }: NoticeMemory, accountId: string, until: number): NoticeMemory {
  // At the end: the oldest entry is dropped first.
  const others = [...dismissed].filter(([id]) => id !== accountId)
  const latest = Math.max(dismissed.get(accountId) ?? 0, until)
  return { dismissed: new Map([...others, [accountId, latest]]), own }
}

/** What this browser has done since a time, given its cookie. */
export const ownActionsSince = (text: string | null, time: number): EventType[] =>
  parseNoticeMemory(text)
    .own.filter(({ to }) => to > time)
    .map(({ type }) => type)

/** Removes what the browser remembers of a deleted account. */
export function forgetNotices(accountId: string): void {
  const { dismissed } = read()
  dismissed.delete(accountId)
  write({ dismissed, own: [] })
}

const actionsByPath: Partial<Record<PostPath, EventType>> = {
  '/api/signin': 'signed_in',
  '/api/signin/recovery': 'signed_in',
  '/api/auth/login/verify': 'signed_in',
  '/api/auth/register/verify': 'passkey_added',
  '/api/i/passkeys/remove': 'passkey_removed',
  '/api/i/username': 'username_changed',
  '/api/i/password': 'password_changed',
  '/api/i/password/remove': 'password_removed',
  '/api/i/recovery-codes': 'recovery_codes_made',
  '/api/i/signout-everywhere': 'signed_out_everywhere',
}

/** Remembers an action of this page, timed by the response's Date. `elapsed`: milliseconds since the request */
export function rememberOwnAction(path: PostPath, response: Response, elapsed: number): void {
  const type = actionsByPath[path]
  const answered = Date.parse(response.headers.get('Date') ?? '')
  if (!type || Number.isNaN(answered)) return
  const memory = read()
  const from = answered - Math.ceil(elapsed) - clockTolerance
  write({ ...memory, own: [...memory.own, { type, from, to: answered + clockTolerance }] })
}

const read = () => parseNoticeMemory(readCookie('notices'))

const write = (memory: NoticeMemory) =>
  writeCookie('notices', memory.dismissed.size + memory.own.length > 0 ? formatNoticeMemory(memory) : '')
