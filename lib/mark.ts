/** On a square of 32 by 32: a key that spells L, for Latchkey alone, and a keyhole for every other name. */
const key = 'M13 5.75a4.25 4.25 0 1 0 0 8.5a4.25 4.25 0 1 0 0-8.5M13 14.25V25.5h8.25M13 19.75h5'
const keyhole = 'M16 6.5a5.5 5.5 0 0 0-2.5 10.4L11.75 25.5h8.5L18.5 16.9A5.5 5.5 0 0 0 16 6.5Z'

/** The mark of a site without a logo, as the path of a line or of an area. */
export const markOf = (appName: string) => (appName === 'Latchkey' ? { stroke: key } : { fill: keyhole })

/** The keyhole as a data URL, for the tab of a site with another name; null for ours, which has files. */
export function markUrl(appName: string, { accent, onAccent }: { accent: string; onAccent: string }): string | null {
  const { fill } = markOf(appName)
  if (!fill) return null
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${accent}"/><path d="${fill}" fill="${onAccent}"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/**
 * The depths, 0 to 3, of the eight cuts in the key that is drawn for an account or a passkey. They come from a hash of its id,
 * which survives a rename and reveals nothing (FNV-1a, because browsers draw keys, too). The key helps to recognize and proves
 * nothing: one in 65,536 is alike.
 */
export function cutsOf(id: string): string {
  let hash = 0x811c9dc5
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  const folded = (hash >>> 16) ^ hash
  return Array.from({ length: 8 }, (_, index) => (folded >>> (2 * index)) & 3).join('')
}
