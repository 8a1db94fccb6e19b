const lookAlikes: Record<string, string> = {
  '@': 'a',
  4: 'a',
  3: 'e',
  1: 'i',
  l: 'i',
  '!': 'i',
  '|': 'i',
  0: 'o',
  $: 's',
  5: 's',
  7: 't',
}

/** One form for a word, its capitals, its accents and the signs that stand for its letters: `P@$$w0rd`, `password`. */
export const foldPassword = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[@431l!|0$57]/g, (character) => lookAlikes[character] ?? character)

export const stemOf = (text: string): string => text.replace(/[^\p{L}]+$/u, '')

/** Shorter stems say nothing about the passwords that begin with them. */
export const minStem = 4

export function linesFor(entry: string, minLength: number): string[] {
  const stem = stemOf(entry)
  return [...(entry.length >= minLength ? [entry] : []), ...(stem.length >= minStem ? [stem] : [])].map(foldPassword)
}
