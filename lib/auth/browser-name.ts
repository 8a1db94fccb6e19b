import Bowser from 'bowser'

/** For display only: a client can send any User-Agent. @returns such as "Firefox on Windows", null if unrecognized */
export function browserName(userAgent: string | null): string | null {
  if (!userAgent) return null
  const { browser, os } = Bowser.parse(userAgent)
  const names = [browser.name, os.name].filter((name) => name && name.length <= 40)
  return names.join(' on ') || null
}
