import { createRecoveryCodes, signInWithRecoveryCode, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { eventsOf } from '../../support/events'
import { expectAuthenticationFailed, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { executeSql } from '../../support/storage/sql'
import { storedText } from '../../support/storage/stored-text'
import { sha256 } from '../../support/webauthn/authenticator-data'

const FORM = /^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/

test('a set of recovery codes has ten different codes of 80 bits', async ({ client }) => {
  await signUp(client)
  const codes = [...(await createRecoveryCodes(client)), ...(await createRecoveryCodes(client))]
  expect(new Set(codes).size).toBe(20)
  for (const code of codes) expect(code).toMatch(FORM)
  expect((await expectSignedIn(client)).recoveryCodesLeft).toBe(10)
})

test('a recovery code is stored only as a SHA-256 with its account and never logged @promise', async ({ start }) => {
  const server = await start()
  const client = new Client(server)
  const { username, id } = await signUp(client)
  const codes = await createRecoveryCodes(client)
  await signInWithRecoveryCode(new Client(server), username, codes[9])
  await signInWithRecoveryCode(new Client(server), username, `${codes[8]}X`)
  const stored = storedText(server)
  for (const code of codes) {
    const bare = code.replaceAll('-', '')
    for (const form of [code, bare, code.toLowerCase(), bare.toLowerCase()]) {
      expect(stored.includes(form)).toBe(false)
      expect(server.output().includes(form)).toBe(false)
    }
  }
  for (const code of codes.slice(0, 9)) {
    expect(stored).toContain(sha256(`${id} ${code.replaceAll('-', '')}`).toString('base64url'))
  }
})

test('a recovery code signs in once, to a session that names the method', async ({ client, another }) => {
  const { username, answer: made } = await signUp(client)
  const codes = await createRecoveryCodes(client)
  const fresh = another()
  const answer = await signInWithRecoveryCode(fresh, username.toUpperCase(), codes[3])
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body).toEqual({
    user: made.body.user,
    expiresAt: expect.any(String),
    token: fresh.jar.get('latchkey-session'),
    stepUp: expect.any(String),
  })
  expect(answer.cookies.map(({ name }) => name).sort()).toEqual(['latchkey-device', 'latchkey-session'])
  expect(await expectSignedIn(fresh)).toMatchObject({ session: { methods: ['recovery'] }, recoveryCodesLeft: 9 })
  expectAuthenticationFailed(await signInWithRecoveryCode(another(), username, codes[3]))
  expect((await signInWithRecoveryCode(another({ page: true }), username, codes[0])).body).not.toHaveProperty('token')
  for (const [index, code] of [...codes.slice(1, 3), ...codes.slice(4)].entries()) {
    expect((await signInWithRecoveryCode(another(), username, code)).status).toBe(200)
    expect((await expectSignedIn(client)).recoveryCodesLeft).toBe(7 - index)
  }
})

test('a recovery code may be typed in any case, with spaces, without hyphens, and with what editors make of them', async ({
  client,
  another,
}) => {
  const { username } = await signUp(client)
  const codes = await createRecoveryCodes(client)
  const typings: ((code: string) => string)[] = [
    (code) => code.toLowerCase(),
    (code) => code.replaceAll('-', ''),
    (code) => ` ${code.replaceAll('-', '  ')}\n`,
    (code) => code.toLowerCase().replaceAll('-', ' - '),
    (code) => `“${code.replaceAll('-', '–')}”.`,
    (code) =>
      `\u200b${code.replace(/[0-9A-Z]/g, (one) => String.fromCodePoint((one.codePointAt(0) ?? 0) + 0xfee0))}\ufeff`,
  ]
  for (const [index, type] of typings.entries()) {
    const answer = await signInWithRecoveryCode(another(), username, type(codes[index] ?? ''))
    expect(answer.status, String(type)).toBe(200)
  }
})

test('characters that look alike count as one in a recovery code, also in one of 24 characters, as codes once were @storage', async ({
  client,
  another,
  server,
}) => {
  const { username, id } = await signUp(client)
  // An old code's digest knows no account.
  const unique = Buffer.from(id)
    .toString('hex')
    .slice(-18)
    .toUpperCase()
    .replace(/[0189]/g, 'Z')
  const rows: [typed: string, hashed: string][] = [
    ['Oo0i-IlL1-8BB8-XYZ9', `${id} 000111118BB8XYZ9`],
    [`0o1I-8b${unique}`, `OOIIBB${unique}`],
  ]
  for (const [typed, hashed] of rows) {
    const hash = sha256(hashed).toString('base64url')
    executeSql(server.databaseUrl, `INSERT INTO "RecoveryCode" ("hash", "userId") VALUES ('${hash}', '${id}')`)
    expect((await signInWithRecoveryCode(another(), username, typed)).status, typed).toBe(200)
    expectAuthenticationFailed(await signInWithRecoveryCode(another(), username, typed))
  }
})

test('of twenty concurrent uses of one recovery code exactly one signs in @storage @promise', async ({
  client,
  another,
}) => {
  const { username } = await signUp(client)
  const [code] = await createRecoveryCodes(client)
  const answers = await Promise.all(Array.from({ length: 20 }, () => signInWithRecoveryCode(another(), username, code)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(401)])
  expect((await expectSignedIn(client)).recoveryCodesLeft).toBe(9)
})

test('new recovery codes replace the previous set, even when two sets are created at once @storage', async ({
  client,
  another,
}) => {
  const { username, token, stepUp } = await signUp(client)
  const [old] = await createRecoveryCodes(client)
  for (let round = 0; round < 2; round += 1) {
    const making = () => createRecoveryCodes(another({ bearer: token, stepUp }))
    const sets = await Promise.all([making(), making()])
    expect((await expectSignedIn(client)).recoveryCodesLeft).toBe(10)
    const answers = []
    for (const [first] of sets) answers.push((await signInWithRecoveryCode(another(), username, first)).status)
    expect(answers.sort()).toEqual([200, 401])
  }
  expectAuthenticationFailed(await signInWithRecoveryCode(another(), username, old))
})

test('a recovery code sign-in revokes the session that it replaces', async ({ client, another }) => {
  const { username, token } = await signUp(client)
  const [code] = await createRecoveryCodes(client)
  expect((await signInWithRecoveryCode(client, username, code)).status).toBe(200)
  await expectSignedOut(another({ bearer: token }))
  expect((await eventsOf(client))[0]).toMatchObject({ type: 'reauthenticated', method: 'recovery' })
})
