import Bowser from 'bowser'

/**
 * What a person would call a browser, such as "Firefox on Windows". It comes from a header that anyone can write, so it
 * is for reading only.
 *
 * @returns null where the header says nothing that is known
 */
export function browserName(userAgent: string | null): string | null {
  if (!userAgent) return null
  const { browser, os } = Bowser.parse(userAgent)
  const names = [browser.name, os.name].filter((name) => name && name.length <= 40)
  return names.join(' on ') || null
}
