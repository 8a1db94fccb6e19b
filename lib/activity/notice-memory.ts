import type { EventType } from '@/lib/api/schemas'

/*
 * A browser remembers in a cookie, which outlives sign-out and which the server reads too, which notices its owner has
 * dismissed. The account remembers a dismissal only if a passkey proves the owner: an attacker who is signed in must not
 * dismiss notices for the owner's browsers. A browser shows no notice of its own actions: whoever took them could also dismiss
 * the notice.
 */

/** By account, in the order of the last change. All times are milliseconds since 1970 on the server's clock. */
export type NoticeMemory = Map<string, AccountMemory>

interface AccountMemory {
  /** The time of the newest dismissed notice; 0 without any */
  dismissed: number
  /** Actions of this browser, each with the interval in which it took place */
  own: OwnAction[]
}

export interface OwnAction {
  type: RememberedType
  from: number
  to: number
}

/** These limits keep the cookie well under 1 KiB. */
const maxAccounts = 8
const maxSignIns = 12
const maxChanges = 24

const codes = {
  signed_in: 's',
  passkey_added: 'a',
  passkey_removed: 'r',
  username_changed: 'u',
  password_changed: 'p',
  password_removed: 'n',
  recovery_codes_made: 'c',
  signed_out_everywhere: 'o',
} as const satisfies Partial<Record<EventType, string>>

export type RememberedType = keyof typeof codes
const types = Object.keys(codes) as RememberedType[]

/** Reads `<account>.<dismissed>~<action><from>.<length>~...|...`, times in base 36, and leaves out malformed parts. */
export function parseNoticeMemory(text: string | null): NoticeMemory {
  const accounts = (text ?? '').split('|').flatMap((part): [string, AccountMemory][] => {
    const [head = '', ...actions] = part.split('~')
    const [, id, time] = /^([\w-]+)\.([\da-z]+)$/.exec(head) ?? []
    return id && time ? [[id, { dismissed: Number.parseInt(time, 36), own: actions.flatMap(parseAction) }]] : []
  })
  return new Map(accounts)
}

function parseAction(text: string): OwnAction[] {
  const [, code, from, length] = /^([a-z])([\da-z]+)\.([\da-z]+)$/.exec(text) ?? []
  const type = types.find((one) => codes[one] === code)
  if (!type || !from || !length) return []
  const start = Number.parseInt(from, 36)
  return [{ type, from: start, to: start + Number.parseInt(length, 36) }]
}

export function formatNoticeMemory(memory: NoticeMemory): string {
  const accounts = [...memory].slice(-maxAccounts)
  const actions = accounts.flatMap(([, { own }]) => own).sort((a, b) => a.to - b.to)
  // Limits the two separately, so that frequent sign-ins do not push changes out.
  const signIns = actions.filter(({ type }) => type === 'signed_in').slice(-maxSignIns)
  const changes = actions.filter(({ type }) => type !== 'signed_in').slice(-maxChanges)
  const kept = new Set([...signIns, ...changes])
  return accounts
    .map(([id, { dismissed, own }]) =>
      [`${id}.${dismissed.toString(36)}`, ...own.filter((action) => kept.has(action)).map(formatAction)].join('~'),
    )
    .join('|')
}

const formatAction = ({ type, from, to }: OwnAction) => `${codes[type]}${from.toString(36)}.${(to - from).toString(36)}`

/** Reads one account's part of the cookie. */
export const memoryOf = (text: string | null, accountId: string): AccountMemory =>
  parseNoticeMemory(text).get(accountId) ?? { dismissed: 0, own: [] }

/** Remembers a dismissal, unless a later one is there: a tab from before that one shows older notices. */
export const withDismissed = (memory: NoticeMemory, accountId: string, until: number): NoticeMemory =>
  withChanged(memory, accountId, ({ dismissed, own }) => ({ dismissed: Math.max(dismissed, until), own }))

/** Moves the account to the end, since the cookie drops the first, which changed longest ago. */
export function withChanged(
  memory: NoticeMemory,
  accountId: string,
  change: (before: AccountMemory) => AccountMemory,
): NoticeMemory {
  const others = [...memory].filter(([id]) => id !== accountId)
  return new Map([...others, [accountId, change(memory.get(accountId) ?? { dismissed: 0, own: [] })]])
}

/** Finds in the cookie what this browser has done in an account since a time. */
export const ownActionsSince = (text: string | null, accountId: string, time: number): EventType[] =>
  memoryOf(text, accountId)
    .own.filter(({ to }) => to > time)
    .map(({ type }) => type)
