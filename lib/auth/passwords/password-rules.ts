import { ApiError, type FieldKey } from '@/lib/api/errors'
import { changePasswordInput, fieldError, recoveryPasswordInput, signUpInput } from '@/lib/api/schemas'
import { settings } from '@/lib/settings/settings'
import { coresOf, foldPassword, isCommonPassword, stemOf } from './common-passwords'

/** Counts code points, so that a character of any script counts as one. */
const newPassword = signUpInput.shape.password
  .refine((text) => [...text].length >= settings().passwordMinLength, {
    error: () => fieldError({ key: 'password_too_short', min: settings().passwordMinLength }),
  })
  .brand<'long enough'>()

/** The schemas of lib/api with PASSWORD_MIN_LENGTH. Actions require the brand, so none can skip the check. */
export const signUpRules = signUpInput.extend({ password: newPassword })
export const changePasswordRules = changePasswordInput.extend({ password: newPassword })
export const recoveryPasswordRules = recoveryPasswordInput.extend({ password: newPassword })

/** Rejects new passwords that attackers try first (NIST SP 800-63B-4 section 3.1.1.2). Existing ones stay valid. */
export async function requireUnguessable(password: string, username: string): Promise<void> {
  if (isName(password, namesOf(username))) throw invalidPassword('password_is_name')
  if (await isCommonPassword(password)) throw invalidPassword('password_common')
}

const invalidPassword = (key: Extract<FieldKey, 'password_is_name' | 'password_common'>) =>
  new ApiError('invalid_request', { fields: { password: { key } } })

/** The names that an attacker who knows the account and the site tries first. */
function namesOf(username: string): string[] {
  const { appName, origins, rpId } = settings()
  const hosts = origins.map((origin) => new URL(origin)).flatMap(({ host, hostname }) => [host, hostname])
  const [mailbox = ''] = username.split('@')
  return [username, mailbox, appName, appName.replace(/\s/g, ''), ...hosts, rpId]
}

/**
 * True for such a name, also with the decoration that `isCommonPassword()` ignores, or without the name's end after its last
 * letter.
 */
function isName(password: string, names: string[]): boolean {
  const given = password.toLowerCase()
  const forms = new Set([given, ...coresOf(given).map(({ text }) => text)].map(foldPassword))
  const words = names.flatMap((name) => [name, stemOf(name)]).map(foldPassword)
  return words.some((word) => word !== '' && forms.has(word))
}
