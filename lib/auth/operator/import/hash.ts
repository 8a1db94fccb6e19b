import { splitMark, withMark } from '../../passwords/imported-hash'

const highestBcryptCost = 15
const mostPbkdf2Rounds = 2_000_000

const bcrypt = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/
/** Printable ASCII, which every database stores unchanged. */
const saltPattern = '([!-#%-9;-~]{0,128})'
const pbkdf2 = new RegExp(`^(?:pbkdf2_sha256\\$)?(\\d{1,9})\\$${saltPattern}\\$[A-Za-z0-9+/]{43}=$`)
const betterAuth = new RegExp(`^${saltPattern}:[0-9a-f]{128}$`, 'i')

/** OWASP ASVS 5.0, appendix C */
const leastBcryptCost = 10
const leastPbkdf2Rounds = 600_000
/** SP 800-63B-4 section 3.1.1.2: 32 bits */
const leastSaltBytes = 4

/** A hash that cannot be imported; the message says why and never shows it. */
export class HashFault extends Error {}

/** Returns the hash as it is stored, under its mark. @throws HashFault */
export function markHash(hash: string): string {
  if (hash.startsWith('$2')) return withMark('bcrypt72', checkedBcrypt(hash))
  if (hash.startsWith('bcrypt$')) return withMark('bcrypt72', checkedBcrypt(hash.slice('bcrypt$'.length)))
  if (hash.startsWith('bcrypt_sha256$'))
    return withMark('bcrypt-sha256', checkedBcrypt(hash.slice('bcrypt_sha256$'.length)))
  if (hash.startsWith('pbkdf2_sha256$')) return withMark('pbkdf2-sha256', checkedPbkdf2(hash))
  if (/^\$?argon2/.test(hash)) throw new HashFault('argon2 hashes cannot be imported')
  if (/^(\$scrypt|scrypt|\$7)\$/.test(hash))
    throw new HashFault("scrypt is imported with better-auth's parameters only")
  if (betterAuth.test(hash)) return withMark('scrypt', checkedScrypt(hash))
  throw new HashFault('is in no format that can be imported')
}

function checkedBcrypt(hash: string): string {
  const cost = Number(bcrypt.exec(hash)?.[1] ?? 0)
  if (cost < 4) throw new HashFault('is not a bcrypt hash')
  // Each cost doubles the work that a stranger's attempt causes.
  if (cost > highestBcryptCost) throw new HashFault(`bcrypt is imported up to cost ${highestBcryptCost}`)
  return canonical(hash)
}

function checkedPbkdf2(hash: string): string {
  const { rounds, salt } = partsOfPbkdf2(hash)
  if (rounds < 1) throw new HashFault('is not a pbkdf2_sha256 hash')
  // One round is a plain digest, which is cracked at once: importing it would keep it for good in a dormant account.
  if (rounds === 1) throw new HashFault('is of one round only: import the account without it')
  requireSalt(salt)
  if (rounds > mostPbkdf2Rounds)
    throw new HashFault(`PBKDF2 is imported up to ${mostPbkdf2Rounds.toLocaleString('en')} rounds`)
  return hash.slice('pbkdf2_sha256$'.length)
}

function checkedScrypt(hash: string): string {
  requireSalt(betterAuth.exec(hash)?.[1] ?? '')
  return hash
}

function requireSalt(salt: string) {
  if (salt === '') throw new HashFault('has no salt: import the account without it')
}

function partsOfPbkdf2(hash: string): { rounds: number; salt: string } {
  const [, rounds = 0, salt = ''] = pbkdf2.exec(hash) ?? []
  return { rounds: Number(rounds), salt }
}

/** Whether a hash, as `markHash` returns it, is easier to crack than today's guidelines allow. */
export function isWeak(marked: string): boolean {
  const { mark, hash } = splitMark(marked)
  // better-auth's parameters are below the least of appendix C: N 131072, r 8, p 1.
  if (mark === 'scrypt') return true
  if (mark !== 'pbkdf2-sha256') return Number(bcrypt.exec(hash)?.[1]) < leastBcryptCost
  const { rounds, salt } = partsOfPbkdf2(hash)
  return rounds < leastPbkdf2Rounds || salt.length < leastSaltBytes
}

const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Clears the padding bits, which some products set: bcryptjs compares text and would reject every password. */
function canonical(hash: string): string {
  const cleared = (index: number, mask: number) => alphabet[alphabet.indexOf(hash[index] as string) & mask]
  return `${hash.slice(0, 28)}${cleared(28, 0b110000)}${hash.slice(29, 59)}${cleared(59, 0b111100)}`
}
