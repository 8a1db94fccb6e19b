import { randomName, signInWithPassword, signUp } from '../../support/accounts'
import { expectAuthenticationFailed, expectError } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'

/** Pairs of passwords that a careless hash would confuse, and why. */
const LOOKALIKES: [string, string, string][] = [
  ['differ only after byte 72', `${'a'.repeat(72)}one`, `${'a'.repeat(72)}two`],
  ['are cut at byte 72', 'b'.repeat(72), 'b'.repeat(73)],
  ['differ only after byte 72 in a split character', `${'c'.repeat(71)}é`, `${'c'.repeat(71)}è`],
  ['differ only after a NUL', 'first half\u0000one', 'first half\u0000two'],
  ['end at a NUL', 'cut at nul', 'cut at nul\u0000'],
  ['differ in surrounding spaces', 'spaces matter', ' spaces matter '],
  ['differ in case', 'Case Matters', 'case matters'],
  ['are compatible but not canonically equal', 'ofﬁce hours', 'office hours'],
]

for (const [what, right, wrong] of LOOKALIKES) {
  test(`two passwords that ${what} are different passwords @promise`, async ({ client, another }) => {
    const { username } = await signUp(client, randomName(), right)
    expectAuthenticationFailed(await signInWithPassword(another(), username, wrong))
    expect((await signInWithPassword(another(), username, right)).status).toBe(200)
    const { username: other } = await signUp(another(), randomName(), wrong)
    expectAuthenticationFailed(await signInWithPassword(another(), other, right))
    expect((await signInWithPassword(another(), other, wrong)).status).toBe(200)
  })
}

test('a password that repeats another around a NUL, which is how bcrypt stretches its key, is a different one @promise', async ({
  client,
  another,
}) => {
  const { username } = await signUp(client, randomName(), 'cyclic key')
  expectAuthenticationFailed(await signInWithPassword(another(), username, 'cyclic key\u0000cyclic key'))
})

test('a password matches in composed and decomposed Unicode form @promise', async ({ client, another }) => {
  const composed = 'pâsswörd ångström'.normalize('NFC')
  const decomposed = composed.normalize('NFD')
  expect(decomposed).not.toBe(composed)
  const { username } = await signUp(client, randomName(), decomposed)
  expect((await signInWithPassword(another(), username, composed)).status).toBe(200)
  expect((await signInWithPassword(another(), username, decomposed)).status).toBe(200)
})

test('a password has at least 8 code points and at most 1 KiB @promise', async ({ client }) => {
  const good = [
    '12345  8',
    '😀'.repeat(8),
    '%:;=  _-',
    'x'.repeat(1024),
    'é'.repeat(512),
    // 1,536 UTF-16 units, which NFC composes to 512 characters of two bytes.
    'u\u0308\u0304'.repeat(512),
    '\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007',
  ]
  for (const password of good) await signUp(client, randomName(), password)
  const bad = [
    '',
    '1234567',
    '😀'.repeat(7),
    'x'.repeat(1025),
    'é'.repeat(513),
    'u\u0308\u0304'.repeat(513),
    // Seven code points once it is normalised.
    'éé12345'.normalize('NFD'),
    // A lone surrogate is no character.
    '\ud800 lone half',
  ]
  for (const password of bad) {
    const answer = await client.post('/api/signup', { username: randomName(), password })
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.fields, password).toEqual({ password: expect.stringMatching(/\S/) })
  }
})

test('a password of 1 KiB signs in', async ({ client, another }) => {
  const password = 'é'.repeat(512)
  const { username } = await signUp(client, randomName(), password)
  expect((await signInWithPassword(another(), username, password)).status).toBe(200)
  expect((await signInWithPassword(another(), username, password.normalize('NFD'))).status).toBe(200)
  expectAuthenticationFailed(await signInWithPassword(another(), username, `${'é'.repeat(511)}è`))
})
