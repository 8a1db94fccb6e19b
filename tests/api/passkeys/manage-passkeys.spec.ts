import { authenticate, authenticationOptions, register, signUpWithPasskey } from '../../support/accounts'
import type { Client } from '../../support/client'
import { expectError, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { Authenticator } from '../../support/webauthn/authenticator'

const ROUNDS = 2

const rename = (client: Client, id: unknown, name: unknown) => client.post('/api/i/passkeys/rename', { id, name })
const remove = (client: Client, id: unknown) => client.post('/api/i/passkeys/remove', { id })
const idsOf = async (client: Client) => (await expectSignedIn(client)).passkeys.map(({ id }: { id: string }) => id)

/** Signs up an account with this many passkeys and no password. @returns their ids */
async function withPasskeys(client: Client, authenticator: Authenticator, count: number): Promise<string[]> {
  await signUpWithPasskey(client, authenticator)
  for (let more = 1; more < count; more += 1) expect((await register(client, authenticator)).status).toBe(201)
  return authenticator.passkeys.slice(-count).map(({ id }) => id)
}

test('renaming a passkey stores the name without surrounding spaces', async ({ client, authenticator }) => {
  const [first, second] = await withPasskeys(client, authenticator, 2)
  const before = (await expectSignedIn(client)).passkeys
  for (const [name, kept] of [
    ['  Work laptop\t', 'Work laptop'],
    ['x', 'x'],
    ['Ä'.repeat(64), 'Ä'.repeat(64)],
    ['<b>"&"</b> 🔑', '<b>"&"</b> 🔑'],
    // Emoji of joiners and of tags, and a word that needs a joiner.
    [
      '👩\u200d💻 🏴\u{e0067}\u{e0062}\u{e007f} می\u200cخواهم',
      '👩\u200d💻 🏴\u{e0067}\u{e0062}\u{e007f} می\u200cخواهم',
    ],
  ]) {
    const answer = await rename(client, first, name)
    expect([answer.status, answer.text]).toEqual([204, ''])
    const { passkeys } = await expectSignedIn(client)
    expect(passkeys).toEqual(before.map((each: { id: string }) => (each.id === first ? { ...each, name: kept } : each)))
  }
  expect(await idsOf(client)).toEqual([first, second])
})

test('an invalid passkey name or id is answered 400 and changes nothing', async ({ client, authenticator }) => {
  const [id] = await withPasskeys(client, authenticator, 1)
  const before = await expectSignedIn(client)
  const turned = ['a\u0000b', 'a\u009bb', 'a\u202eb', 'a\u2068b', 'a\u061cb', 'a\u2028b', 'a\u2029b', 'a\ud800b']
  const blank = ['\u3164', '\u2800', '\u200d\ufe0f', '\u00ad', '\u0301']
  for (const name of ['', '   ', ...blank, 'x'.repeat(65), ...turned, 7, null, undefined, {}]) {
    const answer = await rename(client, id, name)
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.fields).toEqual({ name: expect.stringMatching(/\S/) })
  }
  for (const bad of ['', 'not base64url!', 7, null, undefined]) {
    for (const answer of [await rename(client, bad, 'A name'), await remove(client, bad)]) {
      expectError(answer, 400, 'invalid_request')
      expect(answer.body.fields).toEqual({ id: expect.stringMatching(/\S/) })
    }
  }
  expect(await expectSignedIn(client)).toEqual(before)
})

test("another account's passkey and an unknown one are answered 404 and stay unchanged @promise", async ({
  client,
  another,
  server,
}) => {
  const [mine, theirs] = [new Authenticator(server.origin), new Authenticator(server.origin)]
  const victim = another()
  await withPasskeys(client, mine, 2)
  const [stolen] = await withPasskeys(victim, theirs, 2)
  const [before, untouched] = [await expectSignedIn(client), await expectSignedIn(victim)]
  for (const id of [stolen, 'bm90LWtub3duLWhlcmU']) {
    expectError(await rename(client, id, 'Mine now'), 404, 'not_found')
    expectError(await remove(client, id), 404, 'not_found')
  }
  expect(await expectSignedIn(client)).toEqual(before)
  expect(await expectSignedIn(victim)).toEqual(untouched)
})

test('a removed passkey disappears from the list and is unknown at the next sign-in', async ({
  client,
  another,
  authenticator,
}) => {
  const [first, second] = await withPasskeys(client, authenticator, 2)
  const answer = await remove(client, second)
  expect([answer.status, answer.text]).toEqual([204, ''])
  expect(answer.cookies).toEqual([])
  expect(await idsOf(client)).toEqual([first])
  expectError(await authenticate(another(), authenticator), 404, 'unknown_passkey')
  authenticator.passkeys.pop()
  expect((await authenticate(another(), authenticator)).status).toBe(200)
  expectError(await remove(client, second), 404, 'not_found')
  expectError(await rename(client, second, 'Gone'), 404, 'not_found')
})

test("another account's passkeys do not count as a way to sign in", async ({ client, another, authenticator }) => {
  await withPasskeys(another(), authenticator, 3)
  const [id] = await withPasskeys(client, authenticator, 1)
  expectError(await remove(client, id), 409, 'last_way_in')
})

test('removing the last two passkeys at once leaves one @storage @promise', async ({
  client,
  another,
  authenticator,
}) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { token, stepUp } = await signUpWithPasskey(client, authenticator)
    expect((await register(client, authenticator)).status).toBe(201)
    const own = () => another({ bearer: token, stepUp })
    const answers = await Promise.all((await idsOf(client)).map((id: string) => remove(own(), id)))
    const removed = answers.filter(({ status }) => status === 200 || status === 204)
    expect(removed, answers.map(({ text }) => text).join()).toHaveLength(1)
    // 401: the session went with the passkey that opened it.
    for (const { status } of answers) expect([200, 204, 401, 409]).toContain(status)
    const left = authenticator.passkeys.splice(0)
    const signedIn = []
    for (const passkey of left) {
      const options = await authenticationOptions(another())
      signedIn.push((await another().post('/api/auth/login/verify', authenticator.get(options, {}, passkey))).status)
    }
    expect(signedIn.sort()).toEqual([200, 404])
    client.jar.clear()
  }
})

test('a session that a removed passkey opened stays over when the same passkey is registered again @promise', async ({
  client,
  another,
  authenticator,
}) => {
  await signUpWithPasskey(client, authenticator)
  const removed = authenticator.passkeys[0]?.id ?? ''
  expect((await register(client, authenticator)).status).toBe(201)
  const owner = another()
  expect((await authenticate(owner, authenticator)).status).toBe(200)
  expect((await remove(owner, removed)).status).toBe(204)
  await expectSignedOut(client)

  expect((await register(owner, authenticator, undefined, { id: removed })).status).toBe(201)
  await expectSignedOut(client)
})
