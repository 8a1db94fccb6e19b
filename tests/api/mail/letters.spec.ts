import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server as NetServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import {
  createRecoveryCodes,
  NEW_PASSWORD,
  PASSWORD,
  randomName,
  signInElsewhere,
  signInWithRecoveryCode,
  signUp,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { expectError } from '../../support/expectations'
import { needs } from '../../support/machine/needs'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { makeCertificate } from '../../support/network/certificate'
import { expect, mailEnv, mailFrom, randomNetwork, startMailServer, test } from '../../support/network/mail-server'
import { postfixHost, postfixUser, startPostfix } from '../../support/network/postfix'
import { accountsWith } from '../../support/operator/accounts-command'
import { createAdministrator } from '../../support/operator/administrators'
import { settingsOf } from '../../support/operator/command'
import type { Server } from '../../support/server/server'
import { executeSql, readSql } from '../../support/storage/sql'

const randomAddress = () => `${randomName()}@example.com`

const subject = (title: string) => `Latchkey: ${title}`

/** An account with an address that an operator has set, in a language. */
async function createMailed({ server, port, language }: { server: Server; port: number; language?: string }) {
  const headers = { 'X-Forwarded-For': randomNetwork(), ...(language && { 'Accept-Language': language }) }
  const client = new Client(server, { headers })
  const account = await signUp(client)
  const address = randomAddress()
  const env = { ...settingsOf(server), ...mailEnv(port) }
  expect((await accountsWith(env, ['email', account.username, address])).code).toBe(0)
  return { client, address, ...account, env }
}

test('the owner gets a letter about each way in that is added, changed, removed or used anew, in the language of the last session', async ({
  mailed: { server, mail },
}) => {
  const { client, address, username, env } = await createMailed({ server, port: mail.port, language: 'de-AT' })
  const first = await mail.to(address)
  expect(first[0]?.subject).toBe('Latchkey: Ihr Konto hat eine neue E-Mail-Adresse')
  const [code = ''] = await createRecoveryCodes(client)
  expect((await client.post('/api/i/username', { username: randomName() })).status).toBe(200)
  expect((await client.post('/api/i/username', { username })).status).toBe(200)
  expect((await client.post('/api/i/password', { password: NEW_PASSWORD, currentPassword: PASSWORD })).status).toBe(200)
  const english = new Client(server, {
    headers: {
      'Accept-Language': 'en',
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    },
  })
  expect((await signInWithRecoveryCode(english, username, code)).status).toBe(200)
  expect((await accountsWith(env, ['disable', username])).code).toBe(0)
  const letters = await mail.to(address, 7)
  expect(letters.map((letter) => letter.subject).sort()).toEqual(
    [
      'Latchkey: Ihr Konto hat eine neue E-Mail-Adresse',
      'Latchkey: Für Ihr Konto wurden Wiederherstellungscodes erstellt',
      'Latchkey: Der Benutzername Ihres Kontos wurde geändert',
      'Latchkey: Der Benutzername Ihres Kontos wurde geändert',
      'Latchkey: Das Passwort Ihres Kontos wurde gesetzt oder geändert',
      subject('Somebody signed in with a recovery code'),
      subject('Your account was disabled'),
    ].sort(),
  )
  const used = letters.find((letter) => letter.subject === subject('Somebody signed in with a recovery code'))
  expect(used?.text).toContain('Firefox')
  expect(used?.text).toContain(`${server.origin}/secure`)
  for (const letter of letters) {
    const { headers, raw, html, text } = letter
    expect(headers).toMatchObject({
      from: mailFrom,
      to: address,
      'auto-submitted': 'auto-generated',
      'mime-version': '1.0',
      'content-type': expect.stringMatching(/^multipart\/alternative;/),
      'message-id': expect.stringMatching(/^<[\da-f]{32,}@example\.com>$/),
    })
    expect(headers).not.toHaveProperty('reply-to')
    for (const secret of [code, PASSWORD, NEW_PASSWORD]) expect(raw).not.toContain(secret)
    // Opening a letter must tell nobody, and lead nowhere else.
    expect(html).not.toMatch(/<(img|script|form|link|iframe|object)|url\(|@import|src=/i)
    for (const [url] of `${html}${text}`.matchAll(/https?:[^\s"'<)]+/g)) expect(new URL(url).origin).toBe(server.origin)
  }
  expect(new Set(letters.map(({ headers }) => headers['message-id'])).size).toBe(letters.length)
})

test('of letters of a kind in an hour three come singly, and the others as one that says how many they were @storage', async ({
  mailed: { server, mail },
}) => {
  const { address, username, id } = await createMailed({ server, port: mail.port })
  for (let browsers = 0; browsers < 6; browsers++) await signInElsewhere(server, username)
  await mail.to(address, 4)
  const collected = () =>
    readSql(
      server.databaseUrl,
      `SELECT "count" FROM "Delivery" WHERE "account" = '${id}' AND "type" = 'letter.new_browser'`,
    )
  expect(await collected()).toEqual(['3'])
  // Whoever writes to the database passes no letter off as another account's: its account seals it.
  executeSql(
    server.databaseUrl,
    `INSERT INTO "Delivery" ("id", "type", "receiver", "account", "payload", "createdAt", "dueAt", "expiresAt", "count")
     SELECT 'of another ' || "id", "type", "receiver", 'another', "payload", "createdAt", 1, "expiresAt", 1
     FROM "Delivery" WHERE "account" = '${id}' AND "type" = 'letter.new_browser'`,
  )
  const copied = () =>
    readSql(server.databaseUrl, `SELECT "error" FROM "Delivery" WHERE "account" = 'another' AND "error" IS NOT NULL`)
  await expect.poll(copied).toEqual(['cannot be opened with this JWT_SECRET'])
  executeSql(server.databaseUrl, `UPDATE "Delivery" SET "dueAt" = 1 WHERE "account" = '${id}'`)
  const letters = await mail.to(address, 5)
  const sums = letters.map(({ text }) => /How often: 3 times/.test(text))
  expect(sums).toEqual([false, false, false, false, true])
  await expect.poll(collected).toEqual([])
})

test('an invitation goes by letter, without a word of who made it, and opens the sign-up', async ({
  mailed: { server, mail },
}) => {
  const address = randomAddress()
  const env = { ...settingsOf(server), ...mailEnv(mail.port) }
  const invite = (...words: string[]) => accountsWith(env, ['invite', '--json', ...words])
  const made = await invite('--email', address, '--note', 'for the accountant', '--expires', '2d')
  expect(made.code, made.stderr).toBe(0)
  const [letter] = await mail.to(address)
  const [{ url }] = JSON.parse(made.stdout).invitations
  expect(letter?.subject).toBe(subject('Your invitation'))
  const [, fragment] = url.split('#')
  for (const body of [letter?.text, letter?.html]) expect(body).toContain(`${server.origin}/signup#${fragment}`)
  expect(letter?.raw).not.toContain('accountant')
  expect((await invite('--email', randomAddress(), '--count', '2')).stderr).toContain(
    'Only one invitation goes by email',
  )
  for (let more = 0; more < 2; more++) expect((await invite('--email', address)).code).toBe(0)
  expect((await invite('--email', address)).stderr).toContain('Too many attempts')
  expect((await accountsWith(settingsOf(server), ['invite', '--email', randomAddress()])).stderr).toContain(
    'SMTP_URL is not set',
  )
})

test('a letter to try goes at once, in the language of the administrator who sends it, three times an hour to an address, and is logged', async ({
  mailed: { server, mail },
}) => {
  const { client, id } = await createAdministrator(server, { headers: { 'Accept-Language': 'fr' } })
  const email = randomAddress()
  const attempt = () => client.post('/api/admin/letters/try', { email })
  for (let sent = 0; sent < 3; sent++)
    expect(await attempt()).toMatchObject({ status: 200, body: { error: null, fault: null } })
  expect((await mail.to(email, 3)).map((letter) => letter.subject)).toContain('Latchkey\u00a0: Les messages arrivent')
  expectError(await attempt(), 429, 'too_many_attempts')
  const { log } = (await client.post('/api/admin/log', { by: id })).body
  expect(log.map(({ what }: { what: string }) => what)).toEqual(['letter_tried', 'letter_tried', 'letter_tried'])
  expect(JSON.stringify(log)).not.toContain(email)
})

/** A server that speaks as the test wants, on a port. */
async function listen(
  port: number,
  talk: (line: string | null, say: (text: string) => void, hangUp: () => void) => void,
) {
  const server: NetServer = createServer((socket) => {
    socket.on('error', () => undefined)
    const say = (text: string) => socket.write(`${text}\r\n`)
    const hangUp = () => socket.destroy()
    talk(null, say, hangUp)
    let rest = ''
    socket.on('data', (part) => {
      const lines = (rest + part).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) talk(line, say, hangUp)
    })
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return { stop: () => new Promise((done) => server.close(done)) }
}

/** Takes letters, keeps their Message-ID, and hangs up where it does not say so. */
function taking(ids: string[], saysSo: boolean): Parameters<typeof listen>[1] {
  let isContent = false
  return (line, say, hangUp) => {
    if (line === null) say('220 mail.example ESMTP')
    else if (isContent) {
      if (line.startsWith('Message-ID')) ids.push(line)
      if (line !== '.') return
      isContent = false
      if (saysSo) say('250 taken')
      else hangUp()
    } else if (line === 'DATA') {
      isContent = true
      say('354 go on')
    } else if (line !== 'QUIT') say('250 ok')
  }
}

const words = 'no such person ben@example.com'

test('a letter waits sealed, survives kill -9, is refused for good by a 5xx alone, and is sent once', async ({
  start,
}) => {
  // Twenty seconds of silence, and a pause before each further attempt.
  test.setTimeout(240_000)
  const reserved = await startMailServer()
  const { port } = reserved
  await reserved.stop()
  const server = await start({ env: mailEnv(port) })
  const env = { ...settingsOf(server), ...mailEnv(port) }
  const deliveries = async () => {
    const listed = await accountsWith(env, ['deliveries', '--json'])
    expect(listed.stdout).not.toContain('@')
    return JSON.parse(listed.stdout).deliveries
  }
  const until = (error: string) => expect.poll(async () => (await deliveries())[0]?.error).toBe(error)
  const again = async () => {
    const [{ id }] = await deliveries()
    expect((await accountsWith(env, ['deliveries', 'retry', id])).code).toBe(0)
  }
  const client = new Client(server)
  await signUp(client)
  const address = randomAddress()
  // Nobody listens.
  expect((await client.post('/api/i/email', { email: address })).status).toBe(202)
  await until('cannot be reached (ECONNREFUSED)')
  const [row] = await deliveries()
  expect(row).toMatchObject({ type: 'letter.code', receiver: 'mail', nextAt: expect.any(String) })
  const [payload = ''] = readSql(server.databaseUrl, 'SELECT "payload" FROM "Delivery"')
  expect(Buffer.from(payload, 'base64url').toString()).not.toContain('example')
  await server.kill('SIGKILL')
  await server.restart()

  const refusing = (code: number) => (line: string | null, say: (text: string) => void) => {
    if (line === null) say('220 mail.example ESMTP')
    else if (/^(EHLO|MAIL|RSET)/.test(line)) say('250 ok')
    else if (line.startsWith('RCPT')) say(`${code} ${words}`)
    else say('503 no')
  }
  let standIn = await listen(port, refusing(450))
  await again()
  await until('answered 450')
  expect((await deliveries())[0].nextAt).not.toBeNull()
  await standIn.stop()
  standIn = await listen(port, refusing(550))
  await again()
  await until('answered 550')
  expect((await deliveries())[0].nextAt).toBeNull()
  await standIn.stop()

  // Takes the letter and says nothing of it: it may come twice, then under one Message-ID.
  const seen: string[] = []
  standIn = await listen(port, taking(seen, false))
  await again()
  await expect.poll(() => seen.length).toBeGreaterThan(0)
  await until('the mail server closed the connection')
  await standIn.stop()

  // Says nothing at all: nobody waits for it.
  standIn = await listen(port, () => undefined)
  await again()
  const began = Date.now()
  const other = new Client(server)
  await signUp(other)
  expect((await other.post('/api/i/email', { email: randomAddress() })).status).toBe(202)
  expect(Date.now() - began).toBeLessThan(10_000)
  await expect
    .poll(async () => (await deliveries()).map(({ error }: { error: string }) => error))
    .toContain('no answer within 20 seconds')
  await standIn.stop()
  executeSql(server.databaseUrl, `UPDATE "Delivery" SET "dueAt" = 1`)

  const received: string[] = []
  standIn = await listen(port, taking(received, true))
  await expect.poll(deliveries).toEqual([])
  expect(received).toHaveLength(2)
  expect(received).toContain(seen[0])
  await standIn.stop()
})

/** `npm run doctor -- --mail`, which reads the certificates of its environment when it starts. */
async function tryMail(env: Record<string, string>) {
  const folder = temporaryFolder('mail-doctor')
  const settings = {
    PATH: process.env.PATH,
    NODE_ENV: 'production' as const,
    DATABASE_URL: `file:${join(folder, 'latchkey.db')}`,
    MAIL_FROM: mailFrom,
  }
  const doctor = spawn(process.execPath, ['build/doctor.mjs', '--mail', 'ada@example.com'], {
    env: { ...settings, ...env },
  })
  const output = await text(doctor.stdout)
  return /^.* mail: (.*)$/m.exec(output)?.[0] ?? output
}

test('a Postfix takes letters by STARTTLS and the right password, and lacking one of them gets none', async ({
  start,
}) => {
  needs('Postfix', 'openssl')
  const postfix = await startPostfix('another password')
  const at = (port: number, password = 'p@ss/word') => ({
    SMTP_URL: `smtp://${postfixUser}:${encodeURIComponent(password)}@[${postfixHost}]:${port}`,
    MAIL_FROM: mailFrom,
  })
  const trusting = { NODE_EXTRA_CA_CERTS: postfix.authorityFile }
  const server = await start({ env: { ...at(postfix.port), ...trusting } })
  const client = new Client(server)
  await signUp(client)
  const email = randomAddress()
  expect((await client.post('/api/i/email', { email })).status).toBe(202)
  const deliveries = async () =>
    JSON.parse((await accountsWith(settingsOf(server), ['deliveries', '--json'])).stdout).deliveries
  await expect
    .poll(deliveries)
    .toEqual([expect.objectContaining({ error: 'answered 535', nextAt: expect.any(String), attempts: 1 })])
  postfix.setPassword('p@ss/word')
  const [{ id }] = await deliveries()
  expect((await accountsWith(settingsOf(server), ['deliveries', 'retry', id])).code).toBe(0)
  await expect.poll(postfix.letters).toHaveLength(1)
  const [letter] = postfix.letters()
  expect(letter).toMatchObject({ to: email, subject: subject('Confirm your email address') })
  // With TLS and a password (RFC 3848).
  expect(letter?.raw).toMatch(/^Received: [^:]*\bwith ESMTPSA id\b/m)
  const [code] = /^\d{6}$/m.exec(letter?.text ?? '') ?? []
  expect((await client.post('/api/i/email/verify', { code })).status).toBe(200)

  const inClear = { ...at(postfix.portInClear), ...trusting }
  expect(await tryMail(inClear)).toMatch(/^FAIL .*answered 502.*offers no STARTTLS/)
  // The code, and that the address is the account's; none of those that could not be sent as they should.
  await expect.poll(() => postfix.letters().map(({ to }) => to)).toEqual([email, email])
  await postfix.stop()
})

test('letters go by TLS from the first byte and by STARTTLS only under a certificate that verifies', async () => {
  const folder = temporaryFolder('mail-tls')
  const { certFile, keyFile, pem } = makeCertificate(folder, ['localhost', '127.0.0.1'])
  const tls = { key: readFileSync(keyFile), cert: pem }
  const [byStartTls, byTls] = await Promise.all([startMailServer(tls), startMailServer({ ...tls, secure: true })])
  const outcomes = await Promise.all([
    tryMail({ SMTP_URL: `smtps://localhost:${byTls.port}`, NODE_EXTRA_CA_CERTS: certFile }),
    tryMail({ SMTP_URL: `smtps://localhost:${byTls.port}` }),
    tryMail({ SMTP_URL: `smtp://localhost:${byStartTls.port}`, NODE_TLS_REJECT_UNAUTHORIZED: '0' }),
  ])
  expect(outcomes).toEqual([
    expect.stringMatching(/^ok .* took a letter to ada@example.com/),
    expect.stringMatching(/^FAIL .*DEPTH_ZERO_SELF_SIGNED_CERT.*NODE_EXTRA_CA_CERTS/),
    expect.stringMatching(/^FAIL .*DEPTH_ZERO_SELF_SIGNED_CERT/),
  ])
  expect(byTls.received[0]?.subject).toBe(subject('Email arrives'))
  for (const server of [byStartTls, byTls]) await server.stop()
})
