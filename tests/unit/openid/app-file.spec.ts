import '../../support/unit/environment'
import { expect, test } from 'playwright/test'
import { digestOf } from '@/lib/auth/tokens/tokens'
import { FileError, readJson } from '@/lib/openid/file/json'
import { contentOf } from '@/lib/openid/file/read'

const callback = 'https://budget.example.com/callback'
const app = { id: 'actual', name: 'Actual', redirectUris: [callback] }
const environment = { SECRET: 's'.repeat(32), SHORT: 's'.repeat(31) }

const read = async (text: string | Uint8Array) =>
  contentOf(await readJson(Buffer.from(text)), (name) => Object.entries(environment).find(([key]) => key === name)?.[1])

/** What is wrong with a text; undefined if nothing is. */
async function faultsIn(text: string | Uint8Array): Promise<string[] | undefined> {
  try {
    await read(text)
    return undefined
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    return error.faults
  }
}

const faultsOf = (value: object) => faultsIn(JSON.stringify(value))

test('a file of apps has the defaults of commands for what it leaves out, and of a public app PKCE', async () => {
  const defaults = { signOutUris: [], backChannelUri: null, homeUrl: null, trusted: false, requirePasskey: false }
  const rest = { ...defaults, groups: [], machine: false, device: false, secretHash: null }
  const phone = { ...app, id: 'phone', name: 'Phone', public: true }
  expect(await read(JSON.stringify({ apps: [app, phone] }))).toEqual({
    apps: [
      { ...app, ...rest, public: false, pkce: 'or_nonce' },
      { ...phone, ...rest, pkce: 'required' },
    ],
  })
  expect(await read('{"groups": ["family"]}')).toEqual({ groups: ['family'] })
  expect(await read('{}')).toEqual({})
})

test('a file of apps may begin with a byte order mark and name its $schema, whatever that is', async () => {
  expect(await read('\ufeff{"$schema": "./latchkey.schema.json"}')).toEqual({})
  expect(await read('{"$schema": 7}')).toEqual({})
})

test("an app's secret is a digest in the file, or of an environment variable with 32 characters, and never goes further", async () => {
  const sha256 = digestOf(environment.SECRET)
  for (const secret of [{ sha256 }, { env: 'SECRET' }])
    expect((await read(JSON.stringify({ apps: [{ ...app, secret }] }))).apps?.[0]?.secretHash).toBe(sha256)
  expect(() => contentOf({ apps: [{ ...app, secret: { env: 'SECRET' } }] }, null)).toThrow('apps[0].secret.env')
  expect(contentOf({ apps: [{ ...app, secret: { sha256 } }] }, null).apps?.[0]?.secretHash).toBe(sha256)
})

const texts: [what: string, text: string | Uint8Array, fault: RegExp][] = [
  ['nothing', ' \n', /empty/],
  ['a comment', '{\n  // apps\n}', /^Line 2, column 3: JSON has no comments\.$/],
  ['a comment of blocks', '{"groups": /* all */ []}', /^Line 1, column 12: JSON has no comments\.$/],
  ['a comment as in shells', '# apps\n{}', /^Line 1, column 1: JSON has no comments\.$/],
  ['a comma too many', '{"groups": ["a",]}', /^Line 1, column 17: "]" cannot stand here in JSON\.$/],
  ['no end', '{"groups": [', /ends too early/],
  ['single quotes', "{'groups': []}", /cannot stand here/],
  ['a line break in a text', '{"groups": ["a\nb"]}', /line break/],
  ['too many brackets', '['.repeat(200_000), /nested too deeply/],
  ['another encoding', Buffer.from('\ufeff{}', 'utf16le'), /UTF-8/],
  ['no object', '[]', /^The file must be an object/],
  ['a key twice', '{"groups": ["a"],\n"groups": []}', /^Line 2: groups is there twice/],
  ['an escaped key twice', '{"groups": [], "\\u0067roups": []}', /^Line 1: groups is there twice/],
  ['a key of an app twice', '{"apps": [{"id": "a",\n"id": "b"}]}', /^Line 2: apps\[0\]\.id is there twice/],
  ['__proto__', '{"__proto__": {"groups": []}}', /^__proto__ is no field/],
]

for (const [what, text, fault] of texts)
  test(`a file of apps with ${what} is rejected, with the place and what would be right`, async () => {
    expect(await faultsIn(text)).toEqual([expect.stringMatching(fault)])
  })

const values: [what: string, value: object, fault: RegExp][] = [
  ['an unknown part', { group: [] }, /^group is no field\. The nearest is groups\.$/],
  [
    'an unknown field',
    { apps: [{ ...app, redirectUri: 'x' }] },
    /^apps\[0\]\.redirectUri .* nearest is redirectUris\.$/,
  ],
  ['a field in another case', { apps: [{ ...app, HomeURL: 'x' }] }, /^apps\[0\]\.HomeURL .* nearest is homeUrl\.$/],
  ['people', { people: [] }, /^people is for a developer's own file/],
  ['admins', { groups: ['admins'] }, /^groups\[0\]: no file makes admins/],
  ['a group of another form', { groups: ['Family'] }, /^groups\[0\]: "Family" is no name of a group: 1 to 64 of a-z/],
  ['a group twice', { groups: ['a', 'b', 'a'] }, /^groups\[2\]: "a" is already that of groups\[0\]\.$/],
  ['a group that is no text', { groups: [1] }, /^groups\[0\] must be a text/],
  [
    'an id twice',
    { apps: [app, { ...app, name: 'Other' }] },
    /^apps\[1\]\.id: "actual" is already that of apps\[0\]\.id/,
  ],
  [
    'a name twice',
    { apps: [app, { ...app, id: 'b' }] },
    /^apps\[1\]\.name: "Actual" is already that of apps\[0\]\.name/,
  ],
  ['an app without a name', { apps: [{ ...app, name: undefined }] }, /^apps\[0\]\.name is missing/],
  ['an app that is no object', { apps: ['actual'] }, /^apps\[0\] must be an object/],
  ['an id of another form', { apps: [{ ...app, id: 'a b' }] }, /^apps\[0\]\.id: The id "a b" must be 1 to 64 letters/],
  ['an unreadable name', { apps: [{ ...app, name: 'a\u202eb' }] }, /^apps\[0\]\.name: The name must be/],
  ['half a character', { apps: [{ ...app, name: 'a\ud800' }] }, /^apps\[0\]\.name: The name must be/],
  [
    'a plain http address',
    { apps: [{ ...app, redirectUris: ['http://a.example/'] }] },
    /^apps\[0\]\.redirectUris: .*"http:.* must be https/,
  ],
  [
    'no redirect URI',
    { apps: [{ ...app, redirectUris: [] }] },
    /^apps\[0\]\.redirectUris: An app needs a redirect URI/,
  ],
  ['a word for a flag', { apps: [{ ...app, trusted: 'yes' }] }, /^apps\[0\]\.trusted must be true or false/],
  ['null for a list', { apps: [{ ...app, groups: null }] }, /^apps\[0\]\.groups must be a list/],
  [
    'another pkce',
    { apps: [{ ...app, pkce: 'none' }] },
    /^apps\[0\]\.pkce must be one of "required", "or_nonce", "off"/,
  ],
  [
    'a public app without PKCE',
    { apps: [{ ...app, public: true, pkce: 'off' }] },
    /^apps\[0\]\.pkce: A public app needs PKCE/,
  ],
  [
    'a secret of a public app',
    { apps: [{ ...app, public: true, secret: { env: 'SECRET' } }] },
    /^apps\[0\]\.secret: a public app has none/,
  ],
  ['a secret in plain text', { apps: [{ ...app, secret: 'hunter2' }] }, /^apps\[0\]\.secret must be \{"env": "NAME"\}/],
  [
    'two kinds of secret',
    { apps: [{ ...app, secret: { env: 'SECRET', sha256: digestOf('x') } }] },
    /^apps\[0\]\.secret must be \{"env": "NAME"\}/,
  ],
  [
    'a digest that no secret has',
    { apps: [{ ...app, secret: { sha256: `${'A'.repeat(42)}B` } }] },
    /^apps\[0\]\.secret\.sha256 must be a digest of 43 characters/,
  ],
  ['a variable that is not set', { apps: [{ ...app, secret: { env: 'NONE' } }] }, /\.env: .* "NONE" is not set/],
  [
    'a secret that is too short',
    { apps: [{ ...app, secret: { env: 'SHORT' } }] },
    /^apps\[0\]\.secret\.env: SHORT has 31 characters\. A secret has at least 32/,
  ],
]

for (const [what, value, fault] of values)
  test(`a file of apps with ${what} is rejected, with the path and what would be right`, async () => {
    expect(await faultsOf(value)).toEqual([expect.stringMatching(fault)])
  })

test('a file of apps is told all of its faults at once, and no value of a variable', async () => {
  const faults = await faultsOf({ group: 1, apps: [{ ...app, secret: { env: 'SHORT' }, trusted: 1 }] })
  expect(faults).toHaveLength(2)
  expect(faults?.join()).not.toContain(environment.SHORT)
})
