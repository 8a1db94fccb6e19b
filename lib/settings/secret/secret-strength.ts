/** HS256 needs a key of at least 32 bytes (RFC 7518 section 3.2). */
export const minSecretBytes = 32

/** Ends each fault of a secret that an operator must set. */
export const howToGenerate = 'generate one with: openssl rand -base64 48'

/** Continues the name of the variable: what is wrong with a secret, or null. */
export function secretFault(text: string): string | null {
  if (Buffer.byteLength(text) < minSecretBytes) return `must be at least ${minSecretBytes} bytes`
  return looksRandom(text) ? null : 'must look random'
}

/** The most frequent pairs of letters in English */
const englishPairs = new Set(
  'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur'.split(
    ' ',
  ),
)
const word = /(?<![A-Za-z\d])(?:[a-z]{3,}|[A-Z]{3,}|[A-Z][a-z]{2,})(?![A-Za-z\d])/g

/**
 * Anyone with a session of their own can search for its key offline, so a secret that a person chose would be found.
 * Rejects repetitions, sequences and English; of generated secrets (base64, hex, digits, letters), at most one in
 * ten thousand.
 */
function looksRandom(text: string): boolean {
  const slices = (length: number) => Array.from(text, (_, at) => text.slice(at, at + length)).slice(0, 1 - length)
  const pairs = slices(2)
  const shareOfPairs = (is: (pair: string) => boolean) => pairs.filter(is).length / pairs.length
  const repeats = new Set(slices(3)).size < 24
  const counts = shareOfPairs((pair) => Math.abs(pair.charCodeAt(0) - pair.charCodeAt(1)) <= 1) > 0.75
  const words = text.match(word) ?? []
  const reads =
    shareOfPairs((pair) => englishPairs.has(pair.toLowerCase())) > 1 / 3 ||
    (words.length > 3 && words.join('').length > text.length / 2)
  return !(repeats || counts || reads)
}
