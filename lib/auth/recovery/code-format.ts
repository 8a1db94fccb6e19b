import { createHash, randomBytes } from 'node:crypto'

/** 120 random bits, too many to guess, so a plain digest protects them at rest. */
const codeCharacters = 24
/** RFC 4648 section 6 */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** `text`: six hyphenated groups of four characters */
export function newRecoveryCode(): { text: string; hash: string } {
  const code = Array.from(randomBytes(codeCharacters), (byte) => alphabet[byte % 32]).join('')
  return { text: (code.match(/.{4}/g) ?? []).join('-'), hash: digest(code) }
}

/**
 * Of a code as a person types or pastes it: in any width and case, between dashes, quotes and what else an editor makes of it.
 * Digits that base32 lacks are read as the letters they resemble.
 */
export const hashOfTyped = (typed: string): string =>
  digest(
    typed
      .normalize('NFKC')
      .toUpperCase()
      .replaceAll('0', 'O')
      .replaceAll('1', 'I')
      .replaceAll('8', 'B')
      .replace(/[^A-Z2-7]/g, ''),
  )

const digest = (code: string) => createHash('sha256').update(code).digest('base64url')
