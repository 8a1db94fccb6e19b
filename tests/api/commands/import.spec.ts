import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { hashSync } from 'bcryptjs'
import { PASSWORD, randomName, signInWithPassword, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { eventsOf } from '../../support/events'
import { expectAuthenticationFailed, expectError, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { importRows, ndjson, strangePasskey } from '../../support/operator/account-imports'
import { accounts, accountsOnTerminal, accountsWith, startAccounts } from '../../support/operator/accounts-command'
import { settingsOf } from '../../support/operator/command'
import { productHashes } from '../../support/operator/product-hashes'
import type { Server } from '../../support/server/server'
import { logLines } from '../../support/server/server-log'
import { readSql } from '../../support/storage/sql'
import { Authenticator } from '../../support/webauthn/authenticator'

const storedHash = ({ databaseUrl }: Server, username: string) =>
  readSql(databaseUrl, `SELECT "passwordHash" FROM "User" WHERE "username" = '${username}'`)[0]

const countAccounts = ({ databaseUrl }: Server, start: string) =>
  Number(readSql(databaseUrl, `SELECT COUNT(*) FROM "User" WHERE "username" LIKE '${start}%'`)[0])

/** One of each kind; tests/unit/passwords/imported-hashes.spec.ts has the others. */
const FORMATS = [
  'Django, PBKDF2PasswordHasher, decomposed',
  'Django, BCryptSHA256PasswordHasher',
  'libxcrypt, $2y$ as PHP writes it',
  'better-auth, a ligature',
]

test('users of every format sign in after an import, and their hash is ours from then on', async ({
  server,
  another,
}) => {
  test.slow()
  const users = productHashes
    .filter(({ product }) => FORMATS.includes(product))
    .map((given) => ({ ...given, username: randomName() }))
  const rows = users.map(({ username, hash }) => ({
    username,
    passwordHash: hash,
    createdAt: '2019-08-07T06:05:04+02:00',
  }))
  expect(await importRows(server, rows)).toMatchObject({ code: 0, answer: { created: users.length, dearer: 0 } })
  for (const { product, username, password } of users) {
    const client = another()
    const imported = storedHash(server, username)
    expectAuthenticationFailed(await signInWithPassword(client, username, 'wrong'))
    expect(storedHash(server, username)).toBe(imported)
    expect((await signInWithPassword(client, username, password)).status, product).toBe(200)
    expect(storedHash(server, username)).toMatch(/^\$2b\$10\$/)
    expect(await expectSignedIn(client)).toMatchObject({ createdAt: '2019-08-07T04:05:04.000Z', hasPassword: true })
    // An import leaves no events.
    const types = (await eventsOf(client)).map(({ type }) => type)
    expect(types.filter((type) => type !== 'signin_failed')).toEqual(['signed_in'])
    // Ours takes either form, and every byte counts.
    for (const form of new Set(['NFC', 'NFD'].map((name) => password.normalize(name))))
      expect((await signInWithPassword(client, username, form)).status, product).toBe(200)
    expectAuthenticationFailed(await signInWithPassword(client, username, `${password}x`))
  }
})

test('an import rejects bad rows by line, shows no hash, and creates the others whole', async ({
  server,
  client,
  another,
  authenticator,
}) => {
  const standing = await signUp(client)
  const [taken, own] = [strangePasskey(authenticator), strangePasskey(authenticator)]
  const weak = strangePasskey(authenticator, undefined, 'RS256-1024')
  const passwordHash = hashSync(PASSWORD, 4)
  const names = Array.from({ length: 20 }, randomName)
  const secret = '$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHRzYWx0$Zm9yYmlkZGVu'
  const rows = [
    { username: names[0], passwordHash, passkeys: [taken] },
    'no JSON, but a secret',
    '',
    { username: 'x' },
    { username: names[1], passwordHash: secret },
    { username: names[2], passwordHash: `$2b$16$${'a'.repeat(53)}` },
    { username: names[3], id: 'not an id' },
    // Whole or not at all: its first passkey and its name are free.
    { username: names[4], passwordHash, passkeys: [own, taken] },
    { username: names[5], id: standing.id },
    { username: standing.username.toUpperCase(), passwordHash },
    { username: names[6], passkeys: [{ ...own, publicKey: 'AAAA' }] },
    { username: names[7], passkeys: [weak] },
    { username: names[8], passkeys: [{ ...own, userHandle: 'MR' }] },
    { username: names[9], passkeys: [{ ...own, userHandle: Buffer.alloc(65).toString('base64url') }] },
    { username: names[10], passkeys: [own, own] },
    { username: names[11], createdAt: '2020-01-01' },
    { username: names[12], pasword_hash: secret },
    // The same name again: the first stands.
    { username: names[0]?.toUpperCase(), passwordHash: hashSync('another', 4) },
    { username: names[13], passwordHash },
    { username: names[14], passkeys: [{ ...own, name: 'a\u202eb' }] },
    { username: names[15], passwordHash: `$2b$13$${'a'.repeat(53)}` },
    '["a list"]',
  ]
  const { code, stderr, answer } = await importRows(server, rows)
  expect(code).toBe(1)
  expect(answer).toMatchObject({ created: 3, existing: 2, dearer: 1, weak: 2 })
  const reasons: [number, RegExp][] = [
    [2, /not JSON/],
    [4, /^username/],
    [5, /argon2/],
    [6, /cost 15/],
    [7, /^id/],
    [8, /^passkeys\[1\]\.id/],
    [9, /^id: .*another account/],
    [11, /^passkeys\[0\]\.publicKey/],
    [12, /2048/],
    [13, /^passkeys\[0\]\.userHandle/],
    [14, /^passkeys\[0\]\.userHandle/],
    [15, /^passkeys/],
    [16, /^createdAt/],
    [17, /pasword_hash/],
    [20, /^passkeys\[0\]\.name/],
    [22, /is not an object/],
  ]
  expect(answer.refused).toEqual(reasons.map(([line, reason]) => ({ line, reason: expect.stringMatching(reason) })))
  expect(`${stderr}${JSON.stringify(answer)}`).not.toMatch(/\$2b\$|argon2id|secret|c2FsdHNhbHR|Zm9yYmlkZGVu/)
  expect(logLines(stderr)).toMatchObject([
    { event: 'accounts_imported', outcome: 'success', method: 'operator', count: 3, account: null },
  ])
  for (const name of [names[0], names[13]]) expect((await signInWithPassword(another(), `${name}`)).status).toBe(200)
  expect(countAccounts(server, `${names[4]}`)).toBe(0)
  // What stood already is left alone.
  expect((await signInWithPassword(another(), standing.username, standing.password)).status).toBe(200)
  // What the rejected row had tried to take is still free.
  const again = await importRows(server, [{ username: names[4], passwordHash, passkeys: [own] }])
  expect(again).toMatchObject({ code: 0, answer: { created: 1, existing: 0, refused: [] } })
})

test('an account that is deleted and imported under its id revives no session and no step-up token', async ({
  server,
  client,
  another,
}) => {
  const { id, username, password, token, stepUp } = await signUp(client)
  const held = new Client(server, { bearer: token, stepUp })
  await expectSignedIn(held)
  expect((await accounts(server, 'delete', id, '--yes')).code).toBe(0)
  await expectSignedOut(held)
  const row = { id, username, passwordHash: hashSync(password, 4) }
  expect(await importRows(server, [row])).toMatchObject({ code: 0, answer: { created: 1 } })
  await expectSignedOut(held)
  expectError(await held.post('/api/i/recovery-codes'), 401, 'not_signed_in')
  const owner = another()
  expect((await signInWithPassword(owner, username)).body.user.id).toBe(id)
  owner.stepUp = stepUp
  expectError(await owner.post('/api/i/recovery-codes'), 403, 'reauthentication_required')
})

/** Starts an import from standard input, of which any length has room in a heap of 64 MiB. */
function startImport(server: Server) {
  const child = startAccounts(settingsOf(server), ['import', '-', '--json'], '--max-old-space-size=64')
  child.stdin.on('error', () => {})
  child.stderr.resume()
  return { child, exit: once(child, 'exit'), output: text(child.stdout) }
}

for (const { rows, ...details } of [{ rows: 300 }, { rows: 100_000, tag: '@long' }]) {
  test(
    `an import of ${rows} rows that is killed half-way is resumed without a double @storage`,
    details,
    async ({ start }, testInfo) => {
      testInfo.setTimeout(180_000 + rows * 20)
      const server = await start()
      const client = new Client(server)
      await signUp(client)
      const passkeyOf = strangePasskey(new Authenticator(server.origin))
      const lines = Array.from({ length: rows }, (_, index) => {
        const passkeys = [{ ...passkeyOf, id: Buffer.from(`passkey-${index}`).toString('base64url') }]
        return JSON.stringify({ username: `half-${index}`, passwordHash: `$2b$04$${'a'.repeat(53)}`, passkeys })
      })
      const killed = startImport(server)
      // Its end never comes.
      killed.child.stdin.write(lines.slice(0, rows / 2).join('\n'))
      await expect.poll(() => countAccounts(server, 'half-')).toBeGreaterThan(0)
      killed.child.kill('SIGKILL')
      await killed.exit
      const before = countAccounts(server, 'half-')
      expect(before).toBeLessThan(rows)
      const resumed = startImport(server)
      resumed.child.stdin.end(lines.join('\n'))
      // Readers wait for no writer.
      for (let time = 0; time < 5; time++) await expectSignedIn(client)
      const [code] = await resumed.exit
      expect({ code, answer: JSON.parse(await resumed.output) }).toEqual({
        code: 0,
        answer: { created: rows - before, existing: before, dearer: 0, weak: rows - before, refused: [] },
      })
      expect(countAccounts(server, 'half-')).toBe(rows)
      expect(readSql(server.databaseUrl, 'SELECT COUNT(*) FROM "Passkey"')).toEqual([`${rows}`])
    },
  )
}

test('an import shows its progress on a terminal, and elsewhere only what it rejects', async ({ server }) => {
  const file = test.info().outputPath('accounts.ndjson')
  writeFileSync(file, ndjson([{ username: randomName() }, { username: 'x' }]))
  const plain = await accountsWith(settingsOf(server), ['import', file])
  expect(plain).toMatchObject({ code: 1, stdout: '1 created, 0 existing, 1 rejected.\n' })
  expect(plain.stderr).toMatch(/^Line 2: username: must have 3 to 64 [^\r]*\n\{"level"/)
  const { stdout } = await accountsOnTerminal(server, `import ${file}`)
  expect(stdout).toMatch(/\r\S*\[#{30}\] 100% {2}0 created, 1 existing, 1 rejected/)
})
