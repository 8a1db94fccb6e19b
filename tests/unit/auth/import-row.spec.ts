import { isoCBOR } from '@simplewebauthn/server/helpers'
import { expect, test } from 'playwright/test'
import { readRow } from '@/lib/auth/operator/import-format'
import { strangePasskey } from '../../support/operator/account-imports'
import { Authenticator } from '../../support/webauthn/authenticator'

type Bytes = Uint8Array<ArrayBuffer>

const authenticator = new Authenticator('https://id.example.com')
const passkey = () => strangePasskey(authenticator)

/** An RS256 key whose modulus and exponent have as many bytes. */
function rsaKey(modulus: number, exponent: number) {
  const [n, e] = [modulus, exponent].map((length) => new Uint8Array(length).fill(0xff)) as [Bytes, Bytes]
  const key = isoCBOR.encode(
    new Map<number, number | Bytes>([
      [1, 3],
      [3, -257],
      [-1, n],
      [-2, e],
    ]),
  )
  return Buffer.from(key).toString('base64url')
}

/** What is wrong with a row; undefined if nothing is. */
function faultOf(row: object): string | undefined {
  const read = readRow(JSON.stringify({ username: 'ada', ...row }))
  return 'reason' in read ? read.reason : undefined
}

const wrong: [what: string, row: () => object, reason: RegExp][] = [
  ['from before 1970', () => ({ createdAt: '1969-12-31T23:59:59Z' }), /^createdAt: is before 1970$/],
  ['from after 9999', () => ({ createdAt: '9999-12-31T23:59:59-00:01' }), /^createdAt: is after 9999$/],
  [
    'whose time has no offset',
    () => ({ createdAt: '2026-01-01T00:00:00' }),
    /^createdAt: is not a time in ISO 8601 with its offset/,
  ],
  ['with a space in its id', () => ({ id: 'a b' }), /^id: must have 1 to 64 of/],
  ['with an id of 65 characters', () => ({ id: 'a'.repeat(65) }), /^id: must have 1 to 64 of/],
  ['whose address is no text', () => ({ email: 1 }), /^email: is not text$/],
  [
    'with a verified address that is none',
    () => ({ email: 'ada', emailVerified: true }),
    /^email: is not an e-mail address/,
  ],
  ['that says yes to emailVerified', () => ({ emailVerified: 'yes' }), /^emailVerified: is neither true nor false$/],
  ['with a hash of 513 characters', () => ({ passwordHash: 'x'.repeat(513) }), /^passwordHash: is too long$/],
  ['with a password', () => ({ password: 'secret' }), /^the row: has an unknown field: password$/],
  [
    'with a passkey without an id',
    () => ({ passkeys: [{ ...passkey(), id: '' }] }),
    /^passkeys\[0\]\.id: is not base64url without padding$/,
  ],
  [
    'with a passkey whose id is padded',
    () => ({ passkeys: [{ ...passkey(), id: 'YQ==' }] }),
    /^passkeys\[0\]\.id: is not base64url without padding$/,
  ],
  [
    'with a passkey whose key is none',
    () => ({ passkeys: [{ ...passkey(), publicKey: 'YQ' }] }),
    /^passkeys\[0\]\.publicKey: is not a COSE_Key of/,
  ],
  [
    'with a passkey of too short an RSA key',
    () => ({ passkeys: [strangePasskey(authenticator, undefined, 'RS256-1024')] }),
    /^passkeys\[0\]\.publicKey: is an RSA key of 1024 bits, not 2048 to 4096$/,
  ],
  [
    'with a passkey of too long an RSA key',
    () => ({ passkeys: [{ ...passkey(), publicKey: rsaKey(1024, 3) }] }),
    /^passkeys\[0\]\.publicKey: is an RSA key of 8192 bits, not 2048 to 4096$/,
  ],
  [
    'with a passkey of too long an RSA exponent',
    () => ({ passkeys: [{ ...passkey(), publicKey: rsaKey(256, 64) }] }),
    /^passkeys\[0\]\.publicKey: is an RSA key with an exponent of 64 bytes, more than 4$/,
  ],
  [
    'with an AAGUID that is none',
    () => ({ passkeys: [{ ...passkey(), aaguid: 'none' }] }),
    /^passkeys\[0\]\.aaguid: is not an AAGUID$/,
  ],
  [
    'with a passkey twice',
    () => {
      const same = passkey()
      return { passkeys: [same, same] }
    },
    /^passkeys: have the same id twice$/,
  ],
]

for (const [what, row, reason] of wrong)
  test(`a row ${what} is rejected, and says why`, () => {
    expect(faultOf(row())).toMatch(reason)
  })

test('a row at each bound is taken: the first second of 1970, the longest id, an address that nobody has verified', () => {
  expect(faultOf({ createdAt: '1970-01-01T00:00:00Z', id: 'a'.repeat(64) })).toBeUndefined()
  expect(faultOf({ email: 'ada', emailVerified: false, passkeys: null, passwordHash: null })).toBeUndefined()
  expect(faultOf({ passkeys: [passkey(), passkey()] })).toBeUndefined()
})

test('a passkey without a name is called after its provider, or “Passkey” where nobody knows the provider', () => {
  const nameOf = (given: object) => {
    const read = readRow(JSON.stringify({ username: 'ada', passkeys: [{ ...passkey(), name: undefined, ...given }] }))
    return 'reason' in read ? read : read.account.passkeys[0]?.name
  }
  expect(nameOf({})).toBe('Passkey')
  expect(nameOf({ aaguid: 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd' })).toBe('Apple Passwords')
  expect(nameOf({ name: 'mine' })).toBe('mine')
})

test('of the transports of a passkey the first eight that could be some are kept, each once', () => {
  const plausible = Array.from('abcdefghi')
  const read = readRow(
    JSON.stringify({ username: 'ada', passkeys: [{ ...passkey(), transports: ['a', 'NFC', ...plausible] }] }),
  )
  expect('account' in read && read.account.passkeys[0]?.transports).toBe('a,b,c,d,e,f,g,h')
})
