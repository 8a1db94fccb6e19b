import { expect, test } from 'playwright/test'
import {
  eventText,
  groupRepeats,
  needsNewSignInMethod,
  recentEvents,
  signedInByPasswordRecently,
  withEarlier,
} from '@/lib/activity/events'
import type { AccountEvent, EventType } from '@/lib/api/schemas'
import { en } from '@/lib/messages/en'
import { listedEvents } from '../../support/unit/account-events'

const tell = (event: AccountEvent) => eventText({ locale: 'en', words: en.activity }, event)

const events = listedEvents({ type: 'signed_in', method: 'pwd', browser: null })

test('a recovery code asks for a new way in until one is made', () => {
  const byCode = { type: 'signed_in', method: 'recovery' } as const
  expect(needsNewSignInMethod(['recovery'], events(byCode, 'passkey_added', 'account_created'))).toBe(true)
  expect(needsNewSignInMethod(['recovery'], events('passkey_added', byCode))).toBe(false)
  expect(needsNewSignInMethod(['recovery'], events('password_changed', byCode))).toBe(false)
  expect(needsNewSignInMethod(['recovery'], [])).toBe(true)
  expect(needsNewSignInMethod(['pwd'], events(byCode))).toBe(false)
})

test('only the ten minutes after a sign-in by password are a moment for a promotion', () => {
  const list = events('passkey_removed', 'signed_in')
  const at = Date.parse(list[1]?.at ?? '')
  expect(signedInByPasswordRecently(list, at + 599_000)).toBe(true)
  expect(signedInByPasswordRecently(list, at + 600_000)).toBe(false)
  expect(signedInByPasswordRecently(events({ method: 'passkey' }, 'signed_in'), at)).toBe(false)
  expect(signedInByPasswordRecently([], at)).toBe(false)
  expect(signedInByPasswordRecently(events('passkey_added', 'signed_in'), at)).toBe(false)
  expect(signedInByPasswordRecently(events('reauthenticated'), at)).toBe(true)
})

test('one failure and several are worded apart, and a kind from a newer server by its name', () => {
  const words = (event: Partial<AccountEvent>) => events(event).map(tell)[0]
  expect(words({ type: 'signin_failed', count: 1 })).toBe('Failed sign-in attempt')
  expect(words({ type: 'signin_failed', count: 4 })).toBe('4 failed sign-in attempts')
  expect(words({ type: 'signed_in', method: 'recovery' })).toBe('Signed in with a recovery code')
  expect(words({ type: 'signed_in', method: null })).toBe('Signed in')
  expect(words({ type: 'signed_in', count: 3 })).toBe('Signed in with a password, 3 times')
  expect(words({ type: 'moon_landed' as EventType })).toBe('moon landed')
})

test('an event that an operator caused says so', () => {
  const caused = events(
    { type: 'account_disabled', method: 'operator' },
    { type: 'signed_out_everywhere', method: 'operator' },
    { type: 'groups_changed', method: 'operator', count: 2 },
  )
  expect(caused.map(tell)).toEqual([
    'Account disabled by an administrator',
    'Signed out everywhere by an administrator',
    'Groups changed by an administrator, 2 times',
  ])
})

test('events of one type, method and browser in a row are one, with the newest time and the number of all', () => {
  const list = events({ count: 2 }, {}, { browser: 'Firefox' }, {}, { method: 'passkey' }, { type: 'locked_out' })
  const groups = groupRepeats(list)
  expect(groups.map(({ count }) => count)).toEqual([3, undefined, undefined, undefined, undefined])
  expect(groups[0]?.at).toBe(list[0]?.at)
  expect(groupRepeats(events({ newBrowser: true }, {}))).toHaveLength(2)
})

test('the profile shows three of each kind, and says whether one request fetches the rest', () => {
  const page = (list: AccountEvent[], more = false) => ({ events: list, more })
  const changes = page(events('passkey_added', 'passkey_removed', 'password_changed', 'username_changed'))
  const attempts = Array.from({ length: 48 }, (_, index) => ({ method: index % 2 ? 'pwd' : 'passkey' }) as const)
  const signIns = page(events(...attempts))
  expect(recentEvents(page([]), page([]))).toEqual({ first: [], remaining: 'none' })
  expect(recentEvents(page(events({})), page([])).remaining).toBe('none')
  expect(recentEvents(page([]), changes)).toEqual({ first: changes.events.slice(0, 3), remaining: 'page' })
  expect(recentEvents(signIns, changes).remaining).toBe('pages')
  expect(recentEvents(page(events({}), true), page([])).remaining).toBe('pages')
  const kinds = recentEvents(signIns, changes).first.map(({ type }) => type === 'signed_in')
  expect(kinds.filter(Boolean)).toHaveLength(3)
  expect(kinds).toHaveLength(6)
})

test('of the events that the profile shows at first, those stay that are older than what is fetched', () => {
  const at = (minute: number) => ({ at: `2026-11-25T10:0${minute}:00.000Z` })
  const [failure, signIn, change] = events('signin_failed', 'signed_in', 'password_changed') as [
    AccountEvent,
    AccountEvent,
    AccountEvent,
  ]
  const first = [
    { ...failure, ...at(4) },
    { ...signIn, ...at(3) },
    { ...change, ...at(0) },
  ]
  // The failure has come again meanwhile, so its row has another time.
  const fetched = [
    { ...failure, ...at(5), count: 2 },
    { ...signIn, ...at(3) },
    { ...signIn, ...at(2) },
  ]
  const shown = withEarlier(fetched, first).map(({ type, count }) => [type, count])
  expect(shown).toEqual([
    ['signin_failed', 2],
    ['signed_in', 2],
    ['password_changed', undefined],
  ])
})
