import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { readSettings } from '@/lib/settings/settings'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { JWT_SECRET } from '../../support/secret'
import { read } from '../../support/unit/settings'

const faultsOf = (JWT_SECRET: string) => readSettings({ JWT_SECRET }).faults

const TYPED = [
  'x'.repeat(64),
  '\0'.repeat(64),
  'ab'.repeat(20),
  'changeme'.repeat(5),
  'supersecret'.repeat(3),
  'your-256-bit-secret-your-256-bit-secret',
  'password1password2password3password4',
  'insecure-dev-secret-0000000000000000',
  '12345678901234567890123456789012',
  '0123456789abcdef0123456789abcdef',
  'abcdefghijklmnopqrstuvwxyz012345',
  'a secret for tests, long enough to sign with',
  'one secret of at least thirty-two bytes',
  'please-change-this-secret-in-production',
  'my-super-secret-jwt-key-that-is-32-chars',
  'super_secret_key_do_not_share_1234567890',
  'ThisIsAVerySecureSecretKeyForJWT!',
  'correct horse battery staple correct horse',
  'Antidisestablishmentarianism-2024',
  'keyboard cat keyboard cat keyboard cat',
]
for (const secret of TYPED) {
  test(`a server does not start with the secret ${JSON.stringify(secret)} and names the command that makes one`, () => {
    expect(faultsOf(secret)).toEqual(['JWT_SECRET must look random; generate one with: openssl rand -base64 48'])
  })
}

const lower = 'abcdefghijklmnopqrstuvwxyz'
const characters = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

const GENERATED: Record<string, () => string> = {
  'openssl rand -base64 48': () => randomBytes(48).toString('base64'),
  'openssl rand -base64 24': () => randomBytes(24).toString('base64'),
  'openssl rand -hex 16': () => randomBytes(16).toString('hex'),
  'openssl rand -hex 32': () => randomBytes(32).toString('hex'),
  'openssl rand -hex 1000': () => randomBytes(1000).toString('hex'),
  uuidgen: () => randomUUID(),
  'a generator of 32 digits': () => characters('0123456789', 32),
  'a generator of 32 small letters': () => characters(lower, 32),
  'a generator of 40 letters and digits': () => characters(`${lower}${lower.toUpperCase()}0123456789`, 40),
  'a password manager with symbols': () =>
    characters(`${lower}${lower.toUpperCase()}0123456789!"#$%&'()*+,-./:;<=>?@[]^_{|}~`, 64),
}
for (const [generator, generate] of Object.entries(GENERATED)) {
  test(`secrets of ${generator} are accepted`, () => {
    // The rule rejects up to one in ten thousand of the shortest.
    const rejected = Array.from({ length: 1000 }, generate).filter((secret) => faultsOf(secret).length > 0)
    expect(rejected.length).toBeLessThan(4)
  })
}

test.describe('the secret beside the embedded database', () => {
  const newFolder = () => temporaryFolder('secret')
  const faultsIn = (folder: string) => readSettings({ DATABASE_URL: `file:${join(folder, 'latchkey.db')}` }).faults

  test('a secret is generated beside the embedded database once, readable by its owner only', () => {
    const folder = join(newFolder(), 'deep')
    const DATABASE_URL = `file:${join(folder, 'latchkey.db')}`
    const [first, second] = [readSettings({ DATABASE_URL }), readSettings({ DATABASE_URL })]
    expect(first.settings?.secret).toEqual(second.settings?.secret)
    expect(first.settings?.secret.length).toBe(64)
    expect(readdirSync(folder)).toEqual(['jwt-secret'])
    expect(statSync(join(folder, 'jwt-secret')).mode & 0o777).toBe(0o600)
  })

  test('a secret that cannot be created is a fault of the settings', () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    expect(faultsIn(join(file, 'data'))).toEqual([expect.stringMatching(/^JWT_SECRET must be set, .*ENOTDIR/)])
  })

  test('a secret that cannot be read is a fault of the settings, and is not replaced', () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'jwt-secret'))
    expect(faultsIn(folder)).toEqual([expect.stringMatching(/^JWT_SECRET must be set, .*EISDIR/)])
    expect(readdirSync(folder)).toEqual(['jwt-secret'])
  })

  test('the folder of the embedded database is created for its owner only, and one that exists is left as it is', () => {
    const shared = newFolder()
    chmodSync(shared, 0o750)
    readSettings({ DATABASE_URL: `file:${join(shared, 'deep', 'latchkey.db')}` })
    const modeOf = (path: string) => statSync(path).mode & 0o777
    expect([modeOf(join(shared, 'deep')), modeOf(shared)]).toEqual([0o700, 0o750])
  })

  test('a front end requires the secret of its backend, and never generates one', () => {
    const DATABASE_URL = `file:${join(newFolder(), 'deep', 'latchkey.db')}`
    const BACKEND_URL = 'https://Backend.example/'
    const { settings, faults } = readSettings({ BACKEND_URL, DATABASE_URL, PORT: 'x' })
    expect(settings).toBeUndefined()
    expect(faults.map((line) => line.split(' ')[0])).toEqual(['PORT', 'JWT_SECRET'])
    expect(existsSync(join(DATABASE_URL.slice('file:'.length), '..'))).toBe(false)
    expect(read({ BACKEND_URL }).settings).toMatchObject({ backendUrl: 'https://backend.example' })
  })

  test('a stored secret that is too short is rejected, and its file named', () => {
    const path = join(newFolder(), 'jwt-secret')
    writeFileSync(path, 'short')
    const { settings, faults } = readSettings({ DATABASE_URL: `file:${join(path, '..', 'latchkey.db')}` })
    expect(settings).toBeUndefined()
    expect(faults).toEqual([expect.stringMatching(/^JWT_SECRET must be at least 32 bytes/)])
    expect(faults[0]).toContain(path)
  })

  test('a stored secret that does not look random, or that is also the previous one, is rejected', () => {
    const path = join(newFolder(), 'jwt-secret')
    const DATABASE_URL = `file:${join(path, '..', 'latchkey.db')}`
    writeFileSync(path, 'changeme'.repeat(6))
    expect(readSettings({ DATABASE_URL }).faults).toEqual([expect.stringMatching(/^JWT_SECRET must look random/)])
    writeFileSync(path, JWT_SECRET)
    const { faults } = readSettings({ DATABASE_URL, JWT_SECRET_PREVIOUS: JWT_SECRET })
    expect(faults).toEqual([expect.stringMatching(/^JWT_SECRET_PREVIOUS must be .*not the same/)])
  })
})
