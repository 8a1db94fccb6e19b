import { expect, test } from 'playwright/test'
import {
  formatNoticeMemory,
  type NoticeMemory,
  ownActionsSince,
  parseNoticeMemory,
  withDismissed,
} from '@/lib/activity/notice-memory'
import { noticeText, pendingNotices } from '@/lib/activity/notices'
import type { AccountEvent } from '@/lib/api/schemas'
import { en } from '@/lib/messages/en'
import { listedEvents, noon } from '../../support/unit/account-events'

const account = 'n2Lk_0pQ-7sXbQ8VZyY4Yw'

const events = listedEvents({ type: 'passkey_added', method: null, browser: 'Chrome on Linux' })

const failed = (count: number) => ({ type: 'signin_failed', count }) as const

type AccountMemory = NonNullable<ReturnType<NoticeMemory['get']>>

/** The cookie of a browser that remembers something of one account. */
const memory = ({ dismissed = 0, own = [] }: Partial<AccountMemory>, id = account) =>
  formatNoticeMemory(new Map([[id, { dismissed, own }]]))

/** The notices in words. */
const titlesOf = (list: AccountEvent[], remembered: string | null = null) =>
  pendingNotices(list, account, remembered).map((notice) =>
    noticeText({ locale: 'en', words: en.activity }, en.notices, notice),
  )

test('notices of one type are grouped, the newest first', () => {
  const list = events('username_changed', 'passkey_added', 'username_changed', { type: 'signed_in', newBrowser: true })
  expect(titlesOf(list)).toEqual([
    'The username was changed 2 times',
    'A passkey was added',
    'Sign-in from a new browser',
  ])
})

test('a notice names how somebody signed in, and sign-ins from up to three browsers have a notice each', () => {
  const signIn = (browser: string) => ({ type: 'signed_in', newBrowser: true, method: 'recovery', browser }) as const
  expect(titlesOf(events(signIn('Safari on iOS')))).toEqual(['Sign-in from a new browser with a recovery code'])
  const noticesOf = (...browsers: string[]) => pendingNotices(events(...browsers.map(signIn)), account, null)
  expect(noticesOf('Safari on iOS', 'Firefox on Windows', 'Safari on iOS')).toMatchObject([
    { count: 2, browsers: ['Safari on iOS'] },
    { count: 1, browsers: ['Firefox on Windows'] },
  ])
  const four = ['Safari on iOS', 'Firefox on Windows', 'Edge on Windows', 'Chrome on macOS']
  expect(noticesOf(...four, 'Safari on iOS')).toMatchObject([{ count: 5, browsers: four }])
})

test('a notice stays until this browser dismisses it for this account', () => {
  const list = events('passkey_added', 'username_changed')
  const until = (id: string, at: number) => memory({ dismissed: at }, id)
  expect(titlesOf(list, until(account, noon))).toEqual([])
  expect(titlesOf(list, until(account, noon - 1))).toEqual(['A passkey was added'])
  expect(titlesOf(list, until('another', noon))).toHaveLength(2)
})

test('a page that shows older notices, or none, takes no dismissal back', () => {
  const list = events('passkey_added', 'username_changed')
  const dismissed = withDismissed(new Map(), account, noon)
  for (const until of [noon - 60_000, 0])
    expect(titlesOf(list, formatNoticeMemory(withDismissed(dismissed, account, until)))).toEqual([])
  const moved = withDismissed(withDismissed(dismissed, 'another', noon), account, 0)
  expect([...moved]).toEqual([
    ['another', { dismissed: noon, own: [] }],
    [account, { dismissed: noon, own: [] }],
  ])
})

test('failed sign-ins give a notice from five on, or once one of them locked the account', () => {
  expect(titlesOf(events(failed(4)))).toEqual([])
  expect(titlesOf(events(failed(2), 'passkey_added', failed(3)))).toEqual([
    '5 failed sign-in attempts',
    'A passkey was added',
  ])
  expect(titlesOf(events({ type: 'locked_out', count: 1 }))).toEqual(['1 failed sign-in attempt'])
})

test('what this browser did itself needs no notice, another action of the same type in the same second does', () => {
  const own = [{ type: 'username_changed', from: noon - 1000, to: noon + 1000 }] as const
  const remembered = memory({ own: [...own] })
  expect(titlesOf(events('username_changed', 'passkey_added'), remembered)).toEqual(['A passkey was added'])
  const twice = events('username_changed', { type: 'username_changed', at: new Date(noon - 500).toISOString() })
  expect(titlesOf(twice, remembered)).toEqual(['The username was changed'])
  expect(
    titlesOf(events({ type: 'username_changed', at: new Date(noon + 1001).toISOString() }), remembered),
  ).toHaveLength(1)
})

test('what this browser did in one account accounts for nothing in another', () => {
  const own = [{ type: 'username_changed', from: noon - 1000, to: noon + 1000 }] as const
  const remembered = memory({ own: [...own] }, 'another')
  expect(titlesOf(events('username_changed'), remembered)).toEqual(['The username was changed'])
  expect(ownActionsSince(remembered, account, 0)).toEqual([])
  expect(ownActionsSince(remembered, 'another', noon)).toEqual(['username_changed'])
  expect(ownActionsSince(remembered, 'another', noon + 1000)).toEqual([])
})

test('a new browser shows no notice of earlier changes made by passkey, but of all others', () => {
  const remembered = memory({ own: [{ type: 'signed_in', from: noon - 61_000, to: noon - 59_000 }] })
  const first = { type: 'signed_in', method: 'pwd', newBrowser: true } as const
  const list = (change: Partial<AccountEvent>) => events(change, first, change)
  const byPasskey = { type: 'recovery_codes_made', byPasskey: true } as const
  expect(titlesOf(list(byPasskey), remembered)).toEqual(['Recovery codes were created'])
  expect(titlesOf(list({ type: 'signed_in', method: 'passkey', newBrowser: true }), remembered)).toEqual([
    'Sign-in from a new browser with a passkey',
  ])
  expect(titlesOf(list({ type: 'recovery_codes_made' }), remembered)).toEqual(['Recovery codes were created 2 times'])
  // Not without the first sign-in: this browser was there.
  expect(titlesOf(events(byPasskey, byPasskey))).toEqual(['Recovery codes were created 2 times'])
})

test('an hour in which somebody else signed in from a new browser, too, needs a notice', () => {
  const remembered = memory({ own: [{ type: 'signed_in', from: noon - 1000, to: noon + 1000 }] })
  expect(titlesOf(events({ type: 'signed_in', newBrowser: true }), remembered)).toEqual([])
  expect(titlesOf(events({ type: 'signed_in', newBrowser: true, count: 2 }), remembered)).toEqual([
    '2 sign-ins from new browsers',
  ])
})

test('what an operator did says so, and is never taken for what this browser did', () => {
  const remembered = memory({ own: [{ type: 'recovery_codes_made', from: noon - 1000, to: noon + 1000 }] })
  const list = events(
    { type: 'recovery_codes_made', method: 'operator' },
    { type: 'account_enabled', method: 'operator' },
  )
  expect(titlesOf(list, remembered)).toEqual([
    'Recovery codes were created by an administrator',
    'The account was enabled again by an administrator',
  ])
  // The owner may have done one of them, and answers for each.
  expect(titlesOf(events({ type: 'username_changed', method: 'operator' }, 'username_changed'))).toEqual([
    'The username was changed by an administrator',
    'The username was changed',
  ])
})

test('what a browser remembers of notices survives its cookie, whatever else is in it', () => {
  const removal = { type: 'passkey_removed', from: noon, to: noon + 4321 } as const
  const full: NoticeMemory = new Map([
    ['another', { dismissed: 0, own: [removal] }],
    [account, { dismissed: noon, own: [removal, removal] }],
    ['-', { dismissed: noon, own: [] }],
  ])
  expect(parseNoticeMemory(formatNoticeMemory(full))).toEqual(full)
  for (const text of [null, '', '|', '~|~', 'x.|q', '%00', `${account}.-1~u1`, 'p1.1~p1.1', 'a'.repeat(9000)])
    expect(parseNoticeMemory(text).get(account)).toBeUndefined()
  expect(parseNoticeMemory(`${account}.0~u1~q1.1~~u1.2`)).toEqual(
    new Map([[account, { dismissed: 0, own: [{ type: 'username_changed', from: 1, to: 3 }] }]]),
  )
})

test('the cookie stays small, and signing in often does not push changes out', () => {
  const times = Array.from({ length: 200 }, (_, n) => n)
  const change = { type: 'passkey_added', from: noon, to: noon + 5000 } as const
  const signIns = times.map((n) => ({ type: 'signed_in', from: noon + n, to: noon + n + 5000 }) as const)
  const id = (n: number) => `${account}${n}`.slice(-22)
  const text = formatNoticeMemory(
    new Map(times.map((n) => [id(n), { dismissed: noon + n, own: [change, ...signIns] }])),
  )
  expect(text.length).toBeLessThan(1024)
  expect(text).toMatch(/^[\w.~|-]+$/)
  const parsed = parseNoticeMemory(text)
  expect(parsed.size).toBe(8)
  for (const [, { own }] of parsed) expect(own).toContainEqual(change)
  expect(parsed.get(id(199))?.dismissed).toBe(noon + 199)
})
