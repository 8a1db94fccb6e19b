import { createServer } from 'node:http'
import { createAccount } from '../../support/accounts'
import { Client } from '../../support/client'
import { expect, test } from '../../support/fixtures'
import { listenLocally } from '../../support/network/listen-locally'
import { accounts, accountsJson, accountsWith } from '../../support/operator/accounts-command'
import type { Server } from '../../support/server/server'

const unique = (name: string) => `${name}-${Math.random().toString(36).slice(2)}`

const keyOf = async (server: Server, ...words: string[]): Promise<string> =>
  (await accountsJson(server, 'key', 'add', unique('afar'), ...words)).secret

const afar = (origin: string, key: string, ...words: string[]) =>
  accountsWith({ LATCHKEY_URL: origin, LATCHKEY_KEY: key }, words)

const someKey = `lko_${'A'.repeat(43)}`

test('commands from afar and beside the database print the same and leave the same rows', async ({ start }) => {
  const server = await start()
  const key = await keyOf(server, '--for', 'all,trust')
  const twins = [await createAccount(new Client(server)), await createAccount(new Client(server))] as const
  const app = ['app', 'add', 'Notes', 'https://notes.example/cb', '--id']
  const commands = (me: (typeof twins)[0], group: string, id: string) => [
    ['disable', `id:${me.id}`],
    ['disable', `id:${me.id}`],
    ['enable', me.username],
    ['sign-out', `id:${me.id}`],
    ['email', `id:${me.id}`, `${me.username}@EXAMPLE.com`],
    ['email', `id:${me.id}`, 'no address'],
    ['name', `id:${me.id}`, 'Ada Lovelace'],
    ['group', 'add', group, `id:${me.id}`],
    ['group', 'add', 'No Group', `id:${me.id}`],
    ['group', 'show', group],
    ['group', 'remove', group, `id:${me.id}`],
    ['group', 'remove', unique('none'), `id:${me.id}`],
    ['group', 'delete', group, '--yes'],
    [...app, id, '--group', 'family'],
    [...app, 'host', '--public', '--sign-out-uri', 'nowhere'],
    ['app', 'change', id, '--home', 'https://notes.example', '--no-group'],
    ['app', 'show', id],
    ['app', 'delete', id, '--yes'],
    ['show', `id:${me.id}`],
    ['rename', `id:${me.id}`, `${me.username}-new`],
    ['rename', `id:${me.id}`, 'a name'],
    ['delete', `id:${me.id}`, '--yes'],
    ['delete', 'nobody-of-this-name', '--yes'],
    ['invite', '--group', 'no-such-group'],
    ['invite', 'withdraw', 'no-such-invitation'],
    ['invite', 'list'],
    ['apply', '/dev/null'],
    ['dump'],
    ['remove-passkey', `id:${me.id}`, 'none'],
    ['deliveries'],
    ['deliveries', 'retry', 'none'],
    ['stats'],
  ]
  const near: string[] = []
  const far: string[] = []
  /** Without what differs between the twins, and times. */
  const plain = (text: string, [index, me]: readonly [number, { id: string; username: string }]) =>
    text
      .replaceAll(me.id, 'ID')
      .replaceAll(me.username, 'NAME')
      .replaceAll(`group${index}`, 'GROUP')
      .replaceAll(`app${index}`, 'APP')
      .replaceAll(/none-\w+/g, 'NONE')
      .replaceAll(/lk_[\w-]+/g, 'SECRET')
      .replaceAll(/never used, [\w-]+/g, 'PASSKEY')
      // What the command is told is not what the server is told.
      .replaceAll(/http:\/\/localhost:\d+/g, 'ISSUER')
      .replaceAll(/^\{"level".*\n/gm, '')
      .replaceAll(/"(kid|userHandle|id)":"[\w-]{20,}"/g, '')
      .replaceAll(/[\w-]+ on \w+|\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
  for (const [index, me] of twins.entries())
    for (const [at, words] of commands(me, `group${index}`, `app${index}`).entries()) {
      const all = at % 2 === 0 ? words : [...words, '--json']
      const done = index === 0 ? await accounts(server, ...all) : await afar(server.origin, key, ...all)
      const which = [index, me] as const
      const isStats = words[0] === 'stats'
      const stderr = plain(done.stderr, which).replace('On ISSUER:\n', '')
      const text = JSON.stringify([
        plain(all.join(' '), which),
        done.code,
        isStats ? '' : plain(done.stdout, which),
        stderr,
      ])
      if (index === 0) near.push(text)
      else far.push(text)
    }
  expect(far).toEqual(near)
  const { log } = await accountsJson(server, 'log', '--limit', '200')
  const rowsOf = (index: 0 | 1) =>
    log
      .filter(({ account, app: id, group }: { account: string | null; app: string | null; group: string | null }) =>
        [twins[index].id, `group${index}`, `app${index}`].some((one) => [account, id, group].includes(one)),
      )
      .map(({ what }: { what: string }) => what)
  expect(rowsOf(1)).toEqual(rowsOf(0))
  expect(rowsOf(1)).toContain('account_disabled')
})

test('a change from afar says first which server it is on, and a command that needs the database says so', async ({
  server,
}) => {
  const { id } = await createAccount(new Client(server))
  const key = await keyOf(server, '--for', 'all')
  const { code, stderr } = await afar(server.origin, key, 'disable', id)
  expect([code, stderr]).toEqual([0, `On ${server.origin}:\n`])
  expect((await afar(server.origin, key, 'show', id)).stderr).toBe('')
  for (const words of [
    ['check'],
    ['export', id],
    ['log'],
    ['key', 'list'],
    ['sign-out', '--all'],
    ['signing-key', 'rotate'],
  ]) {
    const refused = await afar(server.origin, key, ...words)
    expect([refused.code, refused.stdout], words.join(' ')).toEqual([2, ''])
    expect(refused.stderr).toContain('needs the database')
  }
})

test('a wrong key, a key that may not, and what is no server of ours are each a sentence and exit code 1', async ({
  server,
}) => {
  const { id } = await createAccount(new Client(server))
  const reads = await keyOf(server, '--for', 'groups', '--read-only')
  const refuses = async (origin: string, key: string, words: string[], sentence: RegExp) => {
    const { code, stdout, stderr } = await afar(origin, key, ...words)
    expect([code, stdout], stderr).toEqual([1, ''])
    expect(stderr).toMatch(sentence)
  }
  await refuses(server.origin, someKey, ['show', id], /does not know this key/)
  await refuses(server.origin, 'lko_short', ['show', id], /is no key of an operator/)
  await refuses(server.origin, reads, ['show', id], /may not do that: it takes the area accounts/)
  await refuses(server.origin, reads, ['group', 'add', 'family'], /no key that only reads/)
  const answers: [status: number, headers: Record<string, string>, body: string, sentence: RegExp][] = [
    [200, { 'Content-Type': 'text/html' }, '<h1>Welcome</h1>', /answers 200, and not as Latchkey does/],
    [502, { 'Content-Type': 'text/html' }, '<h1>Bad gateway</h1>', /answers 502, and not as Latchkey does/],
    [302, { Location: 'https://elsewhere.example/' }, '', /leads to https:\/\/elsewhere\.example/],
    [404, { 'Content-Type': 'application/json' }, '{"error":"Not found.","code":"not_found"}', /older version/],
  ]
  for (const [status, headers, body, sentence] of answers) {
    const other = await listenLocally(createServer((_, response) => response.writeHead(status, headers).end(body)))
    await refuses(`http://127.0.0.1:${other.port}`, someKey, ['stats'], sentence)
    await other.close()
  }
  const closed = await listenLocally(createServer())
  await closed.close()
  await refuses(`http://127.0.0.1:${closed.port}`, someKey, ['stats'], /cannot be reached \(ECONNREFUSED\)/)
  const http = await afar('http://id.example.com', someKey, 'stats')
  expect([http.code, http.stderr]).toEqual([2, expect.stringContaining('must be https')])
  const path = await afar('https://id.example.com/x', someKey, 'stats')
  expect([path.code, path.stderr]).toEqual([2, expect.stringContaining('must be an origin')])
})
