const highestBcryptCost = 15
const mostPbkdf2Rounds = 2_000_000

const bcrypt = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/
/** Printable ASCII, which every database stores unchanged. */
const salt = '[!-#%-9;-~]{1,128}'
const pbkdf2 = new RegExp(`^pbkdf2_sha256\\$(\\d{1,9})\\$${salt}\\$[A-Za-z0-9+/]{43}=$`)
const betterAuth = new RegExp(`^${salt}:[0-9a-f]{128}$`, 'i')

/** A hash that cannot be imported; the message says why and never shows it. */
export class HashFault extends Error {}

/** Returns the hash under a mark of lib/auth/passwords/imported-hash.ts. @throws HashFault */
export function markHash(hash: string): string {
  if (hash.startsWith('$2')) return `bcrypt72:${checkedBcrypt(hash)}`
  if (hash.startsWith('bcrypt$')) return `bcrypt72:${checkedBcrypt(hash.slice('bcrypt$'.length))}`
  if (hash.startsWith('bcrypt_sha256$')) return `bcrypt-sha256:${checkedBcrypt(hash.slice('bcrypt_sha256$'.length))}`
  if (hash.startsWith('pbkdf2_sha256$')) return `pbkdf2-sha256:${checkedPbkdf2(hash)}`
  if (/^\$?argon2/.test(hash)) throw new HashFault('argon2 hashes cannot be imported')
  if (/^(\$scrypt|scrypt|\$7)\$/.test(hash))
    throw new HashFault("scrypt is imported with better-auth's parameters only")
  if (betterAuth.test(hash)) return `scrypt:${hash}`
  throw new HashFault('is in no format that can be imported (argon2 is none either)')
}

function checkedBcrypt(hash: string): string {
  const cost = Number(bcrypt.exec(hash)?.[1] ?? 0)
  if (cost < 4) throw new HashFault('is not a bcrypt hash')
  // Each cost doubles the work that a stranger's attempt causes.
  if (cost > highestBcryptCost) throw new HashFault(`bcrypt is imported up to cost ${highestBcryptCost}`)
  return canonical(hash)
}

function checkedPbkdf2(hash: string): string {
  const rounds = Number(pbkdf2.exec(hash)?.[1] ?? 0)
  if (rounds < 1) throw new HashFault('is not a pbkdf2_sha256 hash')
  if (rounds > mostPbkdf2Rounds) throw new HashFault('PBKDF2 is imported up to 2,000,000 rounds')
  return hash.slice('pbkdf2_sha256$'.length)
}

const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Clears the padding bits, which some products set: bcryptjs compares text and would reject every password. */
function canonical(hash: string): string {
  const cleared = (index: number, mask: number) => alphabet[alphabet.indexOf(hash[index] as string) & mask]
  return `${hash.slice(0, 28)}${cleared(28, 0b110000)}${hash.slice(29, 59)}${cleared(59, 0b111100)}`
}
