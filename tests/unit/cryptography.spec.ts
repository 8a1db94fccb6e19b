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

test('hashes are SHA-256 or longer, and only signing keys are encrypted, with AES-256-GCM', () => {
  const hashes = uses(/\b(createHash|createHmac|hkdfSync)\((?!'sha(256|384|512)')[^)]*\)?|hash: 'SHA-(?!256)[^']*'/g)
  // Redis names scripts by their SHA-1 (EVALSHA); nothing relies on it.
  expect(hashes).toEqual(["lib/rate-limit/redis-script.ts: createHash('sha1')"])
  const ciphers = uses(/(create(Dec|C)ipher\w*|publicEncrypt|privateDecrypt|subtle\.(en|de)crypt)\(\w+/g)
  const sealing = ['createCipheriv(algorithm', 'createDecipheriv(algorithm']
  expect(ciphers).toEqual(sealing.map((call) => `lib/openid/keys/sealed-key.ts: ${call}`))
  expect(readFileSync('lib/openid/keys/sealed-key.ts', 'utf8')).toContain("const algorithm = 'aes-256-gcm'")
})

test('whatever must not be guessed comes from the random numbers of the system', () => {
  // A pause before the next attempt to connect.
  expect(uses(/Math\.random/g)).toEqual(['lib/rate-limit/redis-client.ts: Math.random'])
  expect(uses(/pseudoRandomBytes|seedrandom|nanoid/g)).toEqual([])
})
