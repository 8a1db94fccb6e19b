import { changeUsername, randomName, signInWithPassword, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { eventsOf } from '../../support/events'
import { expectError, expectSignedIn } from '../../support/expectations'
import { expect, randomNetwork, test } from '../../support/network/mail-server'
import { accountsWith } from '../../support/operator/accounts-command'
import { settingsOf } from '../../support/operator/command'
import { executeSql, readSql } from '../../support/storage/sql'

const randomAddress = () => `${randomName()}@example.com`

const emailOf = async (client: Client) => (await expectSignedIn(client)).email

const ask = (client: Client, email: string) => client.post('/api/i/email', { email })
const verify = (client: Client, code: string) => client.post('/api/i/email/verify', { code })

/** Another code than this one. */
const wrong = (code: string, by = 1) => ((Number(code) + by) % 1_000_000).toString().padStart(6, '0')

test('somebody adds an email address by the code in a letter, changes it and removes it, and each old address hears of it', async ({
  mailed: { server, mail, visitor },
}) => {
  const client = visitor()
  const { id, username } = await signUp(client)
  const [first, second] = [randomAddress(), randomAddress()]
  const asked = await ask(client, first)
  expect([asked.status, Object.keys(asked.body)]).toEqual([202, ['expiresAt']])
  expect(Date.parse(asked.body.expiresAt) - Date.now()).toBeGreaterThan(9 * 60_000)
  expect(await emailOf(client)).toBeNull()
  const code = await mail.codeTo(first)
  // As people type it.
  const verified = await verify(client, `${code.slice(0, 3)} ${code.slice(3)}`)
  expect(verified.body).toEqual({ user: expect.objectContaining({ id, username }) })
  expect(await emailOf(client)).toBe(first)
  expectError(await verify(client, code), 401, 'authentication_failed')
  expect((await eventsOf(client, 'changes'))[0]).toMatchObject({ type: 'email_changed', method: null })

  await ask(client, second)
  expect((await verify(client, await mail.codeTo(second))).status).toBe(200)
  const [, , removal] = await mail.to(first, 3)
  expect(removal?.text).toContain(username)
  expect(removal?.raw).not.toContain(second.split('@')[0])
  expect((await client.post('/api/i/email/remove')).status).toBe(204)
  expect(await emailOf(client)).toBeNull()
  expect((await mail.to(second, 3)).at(-1)?.subject).toBe('Latchkey: This address was removed from your account')
  expect((await client.post('/api/i/email/remove')).status).toBe(204)

  // An operator's address ends a code that was asked for before, which could undo it.
  const [third, byOperator] = [randomAddress(), randomAddress()]
  await ask(client, third)
  const late = await mail.codeTo(third)
  expect((await accountsWith(settingsOf(server), ['email', username, byOperator])).code).toBe(0)
  expectError(await verify(client, late), 401, 'authentication_failed')
  expect(await emailOf(client)).toBe(byOperator)
})

test('an address that another account has, or that is its username, gets the same answer and a letter that says so', async ({
  mailed: { server, mail, visitor },
}) => {
  const owner = visitor()
  const name = randomAddress()
  await signUp(owner, name)
  const taken = randomAddress()
  await ask(owner, taken)
  await verify(owner, await mail.codeTo(taken))
  const former = randomAddress()
  const renamed = visitor()
  await signUp(renamed, former)
  expect((await changeUsername(renamed, randomName())).status).toBe(200)

  for (const address of [taken.toUpperCase(), name, former]) {
    const client = visitor()
    const { username } = await signUp(client)
    const [answer, usual] = [await ask(client, address), await ask(client, randomAddress())]
    expect([answer.status, Object.keys(answer.body)]).toEqual([usual.status, Object.keys(usual.body)])
    const stored = address.replace(/@.*/, (domain) => domain.toLowerCase())
    const letter = (await mail.to(stored)).at(-1)
    expect(letter?.subject).toBe('Latchkey: This address is already in use')
    expect(letter?.raw).not.toContain(username)
    expect(letter?.text).not.toMatch(/^\d{6}$/m)
  }
  expect(
    readSql(server.databaseUrl, `SELECT COUNT(*) FROM "EmailCode" WHERE "digest" IS NULL AND "email" = '${former}'`),
  ).toEqual(['0'])
})

test('of two accounts that have a code for one address, the first gets it, and the other is told what a wrong code is told @storage', async ({
  mailed: { mail, visitor },
}) => {
  const address = randomAddress()
  const [one, other] = [visitor(), visitor()]
  const codes: string[] = []
  for (const client of [one, other]) {
    await signUp(client)
    await ask(client, address)
    codes.push(await mail.codeTo(address, codes.length + 1))
  }
  const answers = await Promise.all([verify(one, codes[0] ?? ''), verify(other, codes[1] ?? '')])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  expect([await emailOf(one), await emailOf(other)].filter((email) => email !== null)).toEqual([address])
})

test('a code is right once, in the session that asked, until another is asked for, and for five tries @promise', async ({
  mailed: { server, mail, visitor },
}) => {
  const client = visitor()
  const { username } = await signUp(client)
  const address = randomAddress()
  await ask(client, address)
  const first = await mail.codeTo(address)
  const elsewhere = new Client(server, client.options)
  expect((await signInWithPassword(elsewhere, username)).status).toBe(200)
  expectError(await verify(elsewhere, first), 401, 'authentication_failed')
  await ask(client, address)
  const second = await mail.codeTo(address, 2)
  if (first !== second) expectError(await verify(client, first), 401, 'authentication_failed')
  // A step-up continues the session.
  expect((await signInWithPassword(client, username)).status).toBe(200)
  for (let tries = 1; tries < 5; tries++)
    expectError(await verify(client, wrong(second, tries)), 401, 'authentication_failed')
  expectError(await verify(client, second), 401, 'authentication_failed')

  await ask(client, address)
  const third = await mail.codeTo(address, 3)
  executeSql(server.databaseUrl, `UPDATE "EmailCode" SET "expiresAt" = ${Date.now() - 1} WHERE "email" = '${address}'`)
  expectError(await verify(client, third), 401, 'authentication_failed')
  expect(await emailOf(client)).toBeNull()
})

test('of equal requests with a right code at once, one succeeds @storage', async ({ mailed: { mail, visitor } }) => {
  const client = visitor()
  await signUp(client)
  const address = randomAddress()
  await ask(client, address)
  const code = await mail.codeTo(address)
  const answers = await Promise.all(Array.from({ length: 4 }, () => verify(client, code)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
})

test('after fifteen tries in a day no code is right for an account, nor after twenty-five for an address', async ({
  mailed: { server, mail, visitor },
}) => {
  const address = randomAddress()
  const forget = () => executeSql(server.databaseUrl, `DELETE FROM "RateLimit" WHERE "key" LIKE 'letters-%'`)
  const tryOut = async (client: Client, codes: number) => {
    for (let asked = 0; asked < codes; asked++) {
      forget()
      const before = mail.received.filter(({ to }) => to === address).length
      await ask(client, address)
      const code = await mail.codeTo(address, before + 1)
      for (let tries = 1; tries <= 5; tries++) await verify(client, wrong(code, tries))
    }
  }
  const [one, other, last] = [visitor(), visitor(), visitor()]
  for (const client of [one, other, last]) await signUp(client)
  await tryOut(one, 3)
  const another = randomAddress()
  forget()
  await ask(one, another)
  expectError(await verify(one, await mail.codeTo(another)), 401, 'authentication_failed')
  await tryOut(other, 2)
  forget()
  const before = mail.received.filter(({ to }) => to === address).length
  await ask(last, address)
  expectError(await verify(last, await mail.codeTo(address, before + 1)), 401, 'authentication_failed')
})

test('tries at an address to which no letter went cost it nothing', async ({ mailed: { mail, visitor } }) => {
  const address = randomAddress()
  for (const stranger of [visitor(), visitor()]) {
    await signUp(stranger)
    for (let letters = 0; letters < 3; letters++) await ask(stranger, randomAddress())
    for (let asked = 0; asked < 3; asked++) {
      await ask(stranger, address)
      for (let tries = 0; tries < 5; tries++)
        expectError(await verify(stranger, '000000'), 401, 'authentication_failed')
    }
  }
  const owner = visitor()
  await signUp(owner)
  await ask(owner, address)
  expect((await verify(owner, await mail.codeTo(address))).status).toBe(200)
})

test('an address gets three letters an hour that strangers cause, and an account or a network causes no more than its share', async ({
  mailed: { server, mail, visitor },
}) => {
  const address = randomAddress()
  const stranger = visitor()
  await signUp(stranger)
  for (let asked = 0; asked < 4; asked++) expect((await ask(stranger, address)).status).toBe(202)
  await mail.to(address, 3)
  // The account has had its three, whatever the address.
  const other = randomAddress()
  expect((await ask(stranger, other)).status).toBe(202)
  const second = visitor()
  await signUp(second)
  expect((await ask(second, address)).status).toBe(202)
  expect(
    readSql(
      server.databaseUrl,
      `SELECT COUNT(*) FROM "EmailCode" WHERE "digest" IS NULL AND "email" IN ('${address}', '${other}')`,
    ),
  ).toEqual(['2'])
  // The account of this network is the seventh, and has had none.
  const network = { headers: { 'X-Forwarded-For': randomNetwork() } }
  const targets: string[] = []
  for (let accounts = 0; accounts < 7; accounts++) {
    const client = new Client(server, network)
    await signUp(client)
    for (let asked = 0; asked < 3; asked++) {
      targets.push(randomAddress())
      await ask(client, targets.at(-1) ?? '')
    }
  }
  await mail.to(targets[19] ?? '')
  // What comes later waits for nothing, so what has not come was dropped.
  const control = randomAddress()
  const next = visitor()
  await signUp(next)
  await ask(next, control)
  await mail.to(control)
  const arrived = (to: string) => mail.received.filter((letter) => letter.to === to).length
  expect([arrived(address), arrived(other), arrived(targets[20] ?? '')]).toEqual([3, 0, 0])
})

test('what is no plain address gets no letter, and an administrator needs more than a password to change theirs @promise', async ({
  mailed: { server, mail, visitor },
}) => {
  const client = visitor()
  const { username } = await signUp(client)
  for (const email of [
    'ada',
    'ada@example.com, ben@example.com',
    'ada@example.com\r\nBcc: ben@example.com',
    '"a b"@example.com',
    'ada@[127.0.0.1]',
    'ädä@example.com',
    `${'a'.repeat(65)}@example.com`,
    'ada@localhost',
    '<ada@example.com>',
    7,
  ])
    expectError(await ask(client, email as string), 400, 'invalid_request')
  expect((await ask(client, `${username}@BÜCHER.example`)).status).toBe(202)
  // As the test's server reads the A-labels.
  const [letter] = await mail.to(`${username}@bücher.example`)
  expect(letter?.headers.to).toContain(`${username}@xn--bcher-kva.example`)
  expect(mail.received.map(({ to }) => to)).not.toContain('ben@example.com')
  executeSql(server.databaseUrl, `INSERT INTO "Group" ("name") VALUES ('admins') ON CONFLICT DO NOTHING`)
  executeSql(
    server.databaseUrl,
    `INSERT INTO "Membership" ("userId", "groupName") SELECT "id", 'admins' FROM "User" WHERE "username" = '${username}'`,
  )
  expectError(await ask(client, randomAddress()), 403, 'reauthentication_required')
  expectError(await client.post('/api/i/email/remove'), 403, 'reauthentication_required')
})

test('without SMTP_URL nobody asks for a code, and an address that an operator has set can be removed', async ({
  client,
  server,
}) => {
  const { username } = await signUp(client)
  const { code } = await accountsWith(settingsOf(server), ['email', username, randomAddress()])
  expect(code).toBe(0)
  expectError(await ask(client, randomAddress()), 404, 'not_found')
  expectError(await verify(client, '123456'), 404, 'not_found')
  expect((await client.post('/api/i/email/remove')).status).toBe(204)
  expect(await emailOf(client)).toBeNull()
})
