import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'

const folders = ['app', 'components', 'lib', 'scripts']
const sources = [
  ...folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ),
  'server.ts',
  'proxy.ts',
].filter((name) => /\.(ts|tsx|mjs)$/.test(name) && !name.includes('generated'))

const uses = (pattern: RegExp) =>
  sources.flatMap((file) => (readFileSync(file, 'utf8').match(pattern) ?? []).map((found) => `${file}: ${found}`))

/** Every function of node:crypto that is imported by name, with who imports it. */
const imported = sources.flatMap((file) => {
  const [, names = ''] = /import \{([^}]*)\} from '(?:node:)?crypto'/.exec(readFileSync(file, 'utf8')) ?? []
  return names
    .split(',')
    .flatMap((name) => name.trim() || [])
    .map((name) => ({ file, name }))
})
const importersOf = (...names: string[]) => [
  ...new Set(imported.filter(({ name }) => names.includes(name)).map(({ file }) => file)),
]

test('hashes are SHA-256 or longer, wherever and however one is named', () => {
  // Redis names scripts by their SHA-1 (EVALSHA); nothing relies on it.
  const weak = /['"`](?:[\w-]*[-_:])?(?:md[245]|sha-?1|sha-?224|ripemd\w*|rmd160|whirlpool)(?:[-_]\w+)?['"`]/gi
  expect(uses(weak)).toEqual(["lib/rate-limit/redis-store.ts: 'sha1'"])
  // A name that is no literal would escape the pattern above.
  expect(uses(/\b(?:createHash|createHmac|hkdf|hkdfSync)\((?!'sha(?:1|256|384|512)')[^)]*/g)).toEqual([])
  const named = /(?<![.\w])hash\((?!'sha(?:256|384|512)')[^)]*/g
  const loose = importersOf('hash').flatMap((file) => readFileSync(file, 'utf8').match(named) ?? [])
  expect(loose).toEqual([])
  expect(uses(/\bpbkdf2(?:Sync)?\((?![^\n]*'sha(?:256|384|512)'\))[^\n]*/g)).toEqual([])
  expect(uses(/subtle\.digest\((?!'SHA-(?:256|384|512)')[^)]*/g)).toEqual([])
})

test('only the functions of node:crypto that docs/security.md counts on are imported', () => {
  expect([...new Set(imported.map(({ name }) => name))].sort()).toEqual(
    [
      ...['createHash', 'createHmac', 'hash', 'hkdfSync', 'pbkdf2Sync', 'scryptSync', 'timingSafeEqual'],
      ...['randomBytes', 'randomInt', 'randomUUID', 'generateKeyPair', 'createECDH', 'createPublicKey'],
      ...['createCipheriv', 'createDecipheriv'],
    ].sort(),
  )
  const whole = /import (?:\w+|\* as \w+) from '(?:node:)?crypto'|(?:import|require)\(['"`](?:node:)?crypto/g
  expect(uses(whole)).toEqual([])
})

test('what is encrypted is under AES-256-GCM, by one file: the signing keys and letters that wait', () => {
  expect(importersOf('createCipheriv', 'createDecipheriv')).toEqual(['lib/settings/keys.ts'])
  const ciphers = /['"`](?:id-)?(?:aes|des-|3des|des3|rc[24]|bf-|blowfish|camellia|aria-?\d|sm4|chacha20)[-\w]*['"`]/gi
  expect(uses(ciphers)).toEqual(["lib/settings/keys.ts: 'aes-256-gcm'"])
  // What Web Crypto and jose encrypt with.
  expect(uses(/subtle\.(?:en|de|un)?(?:crypt|wrap)\w*|\bEncryptJWT|\bjwtDecrypt|\w+(?:En|De)crypt\b/g)).toEqual([])
})

test('whatever must not be guessed comes from the random numbers of the system', () => {
  // Pauses before the next attempt.
  expect(uses(/Math\.random/g).sort()).toEqual([
    'lib/openid/file/apply.ts: Math.random',
    'lib/rate-limit/redis-tcp.ts: Math.random',
  ])
  expect(uses(/pseudoRandomBytes|seedrandom|nanoid/g)).toEqual([])
})
