import '../../support/unit/environment'
import { spawn } from 'node:child_process'
import { pbkdf2Sync } from 'node:crypto'
import { createInterface } from 'node:readline'
import { hashSync } from 'bcryptjs'
import { expect, test } from 'playwright/test'
import { isWeak, markHash } from '@/lib/auth/operator/import-format'
import verifyOrHash, { verifyImported } from '@/lib/auth/passwords/hash-worker'
import { comparisonWork, inputsFor } from '@/lib/auth/passwords/imported-hash'
import { isExpensive } from '@/lib/fair-queue/lanes'
import { killOnExit } from '../../support/machine/processes'
import { productHashes } from '../../support/operator/product-hashes'

const verifies = (typed: string, marked: string) => verifyImported(inputsFor(typed, marked), marked).matches

for (const { product, password, hash } of productHashes) {
  test(`a hash of ${product} verifies its password and no other`, () => {
    const marked = markHash(hash)
    expect(verifies(password, marked)).toBe(true)
    expect(verifies(password.slice(1), marked)).toBe(false)
  })
}

test('imported bcrypt hashes read the first 72 bytes of a password, and bcrypt_sha256 reads all', () => {
  const password = 'c'.repeat(71)
  for (const start of ['', 'bcrypt$']) {
    const marked = markHash(`${start}${hashSync(`${password}é`, 4)}`)
    // The 72nd byte is the first half of the letter.
    expect(verifies(`${password}è and more`, marked)).toBe(true)
    expect(verifies(`${password}x`, marked)).toBe(false)
  }
  const long = productHashes.find(({ product }) => product.startsWith('Django, BCryptSHA256') && /72/.test(product))
  expect(verifies(`${long?.password}x`, markHash(`${long?.hash}`))).toBe(false)
})

test('a password that was hashed composed is verified when it is typed decomposed', () => {
  const composed = 'pâsswörd ångström'.normalize('NFC')
  const pbkdf2 = `pbkdf2_sha256$10$salt$${pbkdf2Sync(composed, 'salt', 10, 32, 'sha256').toString('base64')}`
  for (const marked of [markHash(hashSync(composed, 4)), markHash(pbkdf2)])
    expect(verifies(composed.normalize('NFD'), marked)).toBe(true)
  // The other way round nobody can know in what form it was typed.
  expect(verifies(composed, markHash(hashSync(composed.normalize('NFD'), 4)))).toBe(false)
})

test('a bcrypt hash whose padding bits are set verifies its password', () => {
  const hash = hashSync('right', 4)
  const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  const set = (index: number, bits: number) => alphabet[alphabet.indexOf(hash[index] as string) | bits]
  const padded = `${hash.slice(0, 28)}${set(28, 0b1111)}${hash.slice(29, 59)}${set(59, 0b11)}`
  expect(padded).not.toBe(hash)
  expect(verifies('right', markHash(padded))).toBe(true)
  expect(verifies('wrong', markHash(padded))).toBe(false)
})

const bcryptTail = 'a'.repeat(53)
const FAULTS: Record<string, [string, RegExp]> = {
  'bcrypt over cost 15': [`$2b$16$${bcryptTail}`, /up to cost 15/],
  'bcrypt of Django over cost 15': [`bcrypt_sha256$$2b$16$${bcryptTail}`, /up to cost 15/],
  'bcrypt below cost 4': [`$2b$03$${bcryptTail}`, /not a bcrypt hash/],
  'bcrypt with its bug of 2011': [`$2x$10$${bcryptTail}`, /not a bcrypt hash/],
  'bcrypt that is cut off': [`$2b$10$${bcryptTail.slice(1)}`, /not a bcrypt hash/],
  'PBKDF2 over 2,000,000 rounds': [`pbkdf2_sha256$2000001$salt$${'A'.repeat(43)}=`, /2,000,000/],
  'PBKDF2 of one round': [`pbkdf2_sha256$1$salt$${'A'.repeat(43)}=`, /one round only/],
  'PBKDF2 without a salt': [`pbkdf2_sha256$600000$$${'A'.repeat(43)}=`, /has no salt/],
  'scrypt without a salt': [`:${'a'.repeat(128)}`, /has no salt/],
  'PBKDF2 of no rounds': [`pbkdf2_sha256$0$salt$${'A'.repeat(43)}=`, /not a pbkdf2_sha256 hash/],
  'PBKDF2 with a short digest': [`pbkdf2_sha256$1000$salt$${'A'.repeat(42)}=`, /not a pbkdf2_sha256 hash/],
  'PBKDF2 with SHA-1': ['pbkdf2_sha1$1000$salt$AAAA', /^is in no format that can be imported$/],
  'scrypt of Django': ['scrypt$salt$16384$8$1$AAAA', /better-auth/],
  'scrypt in the PHC format': ['$scrypt$ln=15,r=8,p=1$c2FsdA$AAAA', /better-auth/],
  'scrypt with a short digest': [`salt:${'a'.repeat(126)}`, /no format/],
  argon2: ['$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$AAAA', /argon2/],
  'argon2 of Django': ['argon2$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$AAAA', /argon2/],
  'an unusable password of Django': ['!Xg5Jk2', /^is in no format that can be imported$/],
  MD5: ['5f4dcc3b5aa765d61d8327deb882cf99', /^is in no format that can be imported$/],
  'a mark of ours': [`bcrypt72:$2b$10$${bcryptTail}`, /^is in no format that can be imported$/],
  nothing: ['', /^is in no format that can be imported$/],
}
for (const [what, [hash, reason]] of Object.entries(FAULTS)) {
  test(`${what} is rejected, and the reason does not show it`, () => {
    let message = ''
    try {
      markHash(hash)
    } catch (error) {
      message = error instanceof Error ? error.message : ''
    }
    expect(message).toMatch(reason)
    const [first = '', ...rest] = hash.split(/[$:]/)
    // The first of several parts is the algorithm's name, which a reason may show.
    const parts = rest.length > 0 ? rest.filter((part) => part.length > 12) : [first].filter(Boolean)
    for (const part of parts) expect(message).not.toContain(part)
  })
}

test('a wrong password takes as long without a hash, or with an imported one that is cheaper, as with ours', () => {
  const cost = 9
  const ours = verifyOrHash({ inputs: ['right'], hash: null, cost }) as string
  // PBKDF2, bcrypt and scrypt.
  const kinds = ['Django, PBKDF2PasswordHasher', 'bcrypt of Python, $2a$', 'better-auth']
  const imported = productHashes.filter(({ product }) => kinds.includes(product)).map(({ hash }) => markHash(hash))
  const hashes = [ours, null, ...imported]
  const best = hashes.map(() => Number.POSITIVE_INFINITY)
  // Processor time at best of several, in turn: other processes only ever add to it.
  for (let round = 0; round < 6; round++)
    for (const [index, hash] of hashes.entries()) {
      const start = process.cpuUsage()
      expect(verifyOrHash({ inputs: ['wrong'], hash, cost })).not.toBe(true)
      const { user, system } = process.cpuUsage(start)
      best[index] = Math.min(best[index] as number, user + system)
    }
  for (const [index, time] of best.entries()) {
    expect(time, `${hashes[index]?.slice(0, 13)} of ${best}`).toBeGreaterThan((best[0] as number) * 0.7)
    // At this cost better-auth's scrypt alone may be dearer than ours.
    if (hashes[index]?.startsWith('scrypt')) continue
    expect(time, `${hashes[index]?.slice(0, 13)} of ${best}`).toBeLessThan((best[0] as number) * 1.6)
  }
})

/** Fails on hashes of ours in a new process, then on one of better-auth; prints the microseconds of the processor. */
const FIRST_FAILURES = `
  const { default: verifyOrHash } = await import('./build/hash-worker.mjs')
  const timeOf = (hash) => {
    const start = process.cpuUsage()
    verifyOrHash({ inputs: ['wrong'], hash, cost: 11 })
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  const ours = '$2b$11$${'.'.repeat(53)}'
  // The shorter of two: beside busy processes one alone may take longer than it needs.
  console.log(String(Math.min(timeOf(ours), timeOf(ours))))
  console.log(String(timeOf('scrypt:salt:${'0'.repeat(128)}')))
`

test('a failure on an imported hash does not get shorter because the process is interrupted', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', FIRST_FAILURES])
  killOnExit(child)
  let turn = 0
  let interrupting: NodeJS.Timeout | undefined
  const times: number[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    times.push(Number(line))
    // As beside busy processes. Ours were measured undisturbed.
    interrupting ??= setInterval(() => child.kill(turn++ % 3 === 2 ? 'SIGCONT' : 'SIGSTOP'), 10)
  }
  clearInterval(interrupting)
  const [ours, imported] = times as [number, number]
  expect(imported / ours).toBeGreaterThan(0.8)
})

test('a hash is weak if it is below appendix C of ASVS 5.0, or has less than 32 bits of salt', () => {
  const pbkdf2 = (rounds: number, salt = 'salt') => `pbkdf2_sha256$${rounds}$${salt}$${'A'.repeat(43)}=`
  const hashes: [string, boolean][] = [
    [`$2b$09$${bcryptTail}`, true],
    [`$2b$10$${bcryptTail}`, false],
    [`bcrypt_sha256$$2b$09$${bcryptTail}`, true],
    [`bcrypt_sha256$$2b$10$${bcryptTail}`, false],
    [pbkdf2(2), true],
    [pbkdf2(599_999), true],
    [pbkdf2(600_000), false],
    [pbkdf2(600_000, 'sal'), true],
    [`salt:${'a'.repeat(128)}`, true],
  ]
  for (const [hash, weak] of hashes) expect(isWeak(markHash(hash)), hash).toBe(weak)
})

test('bcrypt of a higher cost is expensive, and what others hash with is not beside the default cost', () => {
  const bcryptOf = (cost: number) => `$2b$${cost}$${bcryptTail}`
  const pbkdf2Of = (rounds: number) => `pbkdf2_sha256$${rounds}$salt$${'A'.repeat(43)}=`
  const scrypt = `salt:${'a'.repeat(128)}`
  const isExpensiveAt = (cost: number) => (hash: string) => isExpensive({ work: comparisonWork(markHash(hash), cost) })
  expect([bcryptOf(10), pbkdf2Of(600_000), scrypt, bcryptOf(11), pbkdf2Of(1_000_000)].map(isExpensiveAt(10))).toEqual([
    false,
    false,
    false,
    true,
    true,
  ])
  expect([bcryptOf(12), pbkdf2Of(2_000_000), scrypt, bcryptOf(13)].map(isExpensiveAt(12))).toEqual([
    false,
    false,
    false,
    true,
  ])
  expect(comparisonWork(bcryptOf(15), 10)).toBe(32)
})
