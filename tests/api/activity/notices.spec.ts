import {
  authenticate,
  changeUsername,
  createRecoveryCodes,
  randomName,
  register,
  signInWithPassword,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import type { Client } from '../../support/client'
import { notableEventsOf } from '../../support/events'
import { expect, test } from '../../support/fixtures'
import type { Server } from '../../support/server/server'
import { executeSql } from '../../support/storage/sql'
import { now, resign } from '../../support/tokens/tokens'

const notices = async (client: Client) => (await notableEventsOf(client)).map(({ type }) => type)

/** As if these events of the account had happened two minutes later than what else there is. */
function postpone({ databaseUrl }: Server, id: string, type = '%') {
  const which = `"userId" = '${id}' AND "type" LIKE '${type}'`
  executeSql(databaseUrl, `UPDATE "Event" SET "at" = "at" + 120000 WHERE ${which}`)
}

/** Dismisses all that the client's owner is shown. @returns whether that counts everywhere */
async function dismiss(client: Client): Promise<boolean> {
  const [newest] = await notableEventsOf(client)
  const answer = await client.post('/api/i/notices/dismiss', { until: newest?.at })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.everywhere
}

async function rename(client: Client) {
  const username = randomName()
  expect((await changeUsername(client, username)).status).toBe(200)
  return username
}

test.describe('the session that created the account', () => {
  test('the session that created the account causes no notices on its first day, and any other session does', async ({
    client,
    another,
    authenticator,
  }) => {
    const { username } = await signUp(client)
    await createRecoveryCodes(client)
    expect((await register(client, authenticator)).status).toBe(201)
    // A step-up continues the session.
    await signInWithPassword(client, username)
    await createRecoveryCodes(client)
    expect(await notices(client)).toEqual([])
    const stranger = another()
    await signInWithPassword(stranger, username)
    await createRecoveryCodes(stranger)
    expect(await notices(client)).toEqual(['recovery_codes_made', 'signed_in'])
  })

  test('the session that created the account causes notices when it is older, and after it was signed out', async ({
    client,
    server,
  }) => {
    const { username, token } = await signUp(client)
    const yesterday = now() - 86_401
    client.jar.set('latchkey-session', await resign(token, server.secret, { claims: { signed_up: yesterday } }))
    await createRecoveryCodes(client)
    expect(await notices(client)).toEqual(['recovery_codes_made'])
    client.jar.set('latchkey-session', token)
    await client.post('/api/signout')
    await signInWithPassword(client, username)
    await createRecoveryCodes(client)
    expect(await notices(client)).toEqual(['recovery_codes_made', 'recovery_codes_made'])
  })
})

test.describe('dismissing notices for the account', () => {
  test('dismissing notices takes a passkey that is older than the events', async ({
    client,
    another,
    authenticator,
    server,
  }) => {
    const { username, id } = await signUpWithPasskey(client, authenticator)
    const other = another()
    await authenticate(other, authenticator, username)
    await createRecoveryCodes(other)
    postpone(server, id)
    const [codes] = await notableEventsOf(client)
    expect(codes).toMatchObject({ type: 'recovery_codes_made', byPasskey: true })
    await authenticate(client, authenticator, username)
    expect(await dismiss(client)).toBe(true)
    expect(await notices(other)).toEqual([])
    await rename(other)
    expect(await notices(client)).toEqual(['username_changed'])
  })

  test('dismissing notices with a password alone changes nothing, since a stranger may have it @promise', async ({
    client,
    another,
    server,
  }) => {
    const { username, id } = await signUp(client)
    const stranger = another()
    await signInWithPassword(stranger, username)
    await createRecoveryCodes(stranger)
    postpone(server, id)
    expect(await dismiss(stranger)).toBe(false)
    expect(await notices(client)).toEqual(['recovery_codes_made', 'signed_in'])
  })

  test('dismissing notices leaves what is as old as the passkey, such as that a stranger added it', async ({
    client,
    another,
    authenticator,
  }) => {
    const { username } = await signUp(client)
    const stranger = another()
    await signInWithPassword(stranger, username)
    expect((await register(stranger, authenticator)).status).toBe(201)
    await authenticate(stranger, authenticator, username)
    await rename(stranger)
    expect(await dismiss(stranger)).toBe(false)
    expect(await notices(client)).toEqual(['username_changed', 'passkey_added', 'signed_in'])
  })

  test('dismissing notices leaves what is newer than the events shown', async ({
    client,
    another,
    authenticator,
    server,
  }) => {
    const { username, id } = await signUpWithPasskey(client, authenticator)
    const other = another()
    await authenticate(other, authenticator, username)
    await rename(other)
    postpone(server, id)
    const [shown] = await notableEventsOf(client)
    await createRecoveryCodes(other)
    for (let minutes = 0; minutes < 4; minutes += 2) postpone(server, id, 'recovery_codes_made')
    const answer = await client.post('/api/i/notices/dismiss', { until: shown?.at })
    expect(answer.body).toEqual({ everywhere: true })
    expect(await notices(client)).toEqual(['recovery_codes_made'])
  })
})

test('an hour of sign-ins that was dismissed is told again when another browser signs in @storage', async ({
  client,
  another,
  authenticator,
  server,
}) => {
  const { username, id } = await signUpWithPasskey(client, authenticator)
  const onLinux = {
    headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
  }
  await authenticate(another(onLinux), authenticator, username)
  postpone(server, id)
  expect(await dismiss(client)).toBe(true)
  await authenticate(another(onLinux), authenticator, username)
  expect(await notices(client)).toEqual(['signed_in'])
})
