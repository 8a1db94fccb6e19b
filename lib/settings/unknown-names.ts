import { readEnvFiles } from './env-files.mjs'
import { settingNames } from './schema'

/** In our files, only our own settings begin so. */
const ourPrefixes = /^(LATCHKEY_|RATE_LIMIT_|WEBAUTHN_|PASSWORD|SIGN_UP|MAIL_|SMTP_)/

const shortest = 5

/**
 * Warns of each variable that looks like a setting of ours and is none: SIGNUP=closed would leave sign-up open. Leaves out
 * values, which may be secrets.
 */
export function unknownSettings(folder = process.cwd(), environment: object = process.env): string[] {
  const ours = settingNames()
  const inFiles = Object.keys(readEnvFiles(folder))
  const names = new Set([...Object.keys(environment), ...inFiles])
  return [...names].sort().flatMap((name) => {
    if (ours.includes(name)) return []
    const near = ours.find((known) => known.length >= shortest && isOneEditAway(name, known))
    if (near !== undefined) return [`${name} is no setting, and ignored; ${near} is one`]
    return inFiles.includes(name) && ourPrefixes.test(name) ? [`${name} is no setting, and ignored`] : []
  })
}

/** True if one letter is missing, too many or wrong, or two neighbours have changed places. */
function isOneEditAway(one: string, other: string): boolean {
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  const [a, b] = [one.slice(start), other.slice(start)]
  const swapped = a.length === b.length && a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2)
  return a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1) || swapped
}
