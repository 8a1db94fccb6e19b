import { ApiError, type FieldKey } from '@/lib/api/errors'
import { changePasswordInput, fails, signUpInput } from '@/lib/api/schemas'
import { settings } from '@/lib/settings/settings'
import { isCommonPassword } from './common-passwords'
import { coresOf } from './password-cores'
import { foldPassword, stemOf } from './password-fold'

/** In code points: one character of any script counts as one. */
const newPassword = signUpInput.shape.password
  .refine((text) => [...text].length >= settings().passwordMinLength, {
    error: () => fails({ key: 'password_too_short', min: settings().passwordMinLength }),
  })
  .brand<'long enough'>()

/** The schemas of lib/api with PASSWORD_MIN_LENGTH. Actions require the brand, so none can skip the check. */
export const signUpRules = signUpInput.extend({ password: newPassword })
export const changePasswordRules = changePasswordInput.extend({ password: newPassword })

/** Rejects new passwords that attackers try first (NIST SP 800-63B-4 section 3.1.1.2). Existing ones stay valid. */
export async function requireUnguessable(password: string, username: string): Promise<void> {
  if (namesOf(username).some((name) => isName(password, name))) throw invalidPassword('password_is_name')
  if (await isCommonPassword(password)) throw invalidPassword('password_common')
}

const invalidPassword = (key: Extract<FieldKey, 'password_is_name' | 'password_common'>) =>
  new ApiError('invalid_request', { fields: { password: { key } } })

/** What somebody who knows the account and the site tries first. */
function namesOf(username: string): string[] {
  const { appName, origins, rpId } = settings()
  const hosts = origins.map((origin) => new URL(origin)).flatMap(({ host, hostname }) => [host, hostname])
  const [mailbox = ''] = username.split('@')
  return [username, mailbox, appName, appName.replace(/\s/g, ''), ...hosts, rpId]
}

/** Ignores what `isCommonPassword()` ignores, and what the name has behind its last letter. */
function isName(password: string, name: string): boolean {
  const words = [name, stemOf(name)].map(foldPassword).filter((word) => word !== '')
  const given = password.toLowerCase()
  return [given, ...coresOf(given).map(({ text }) => text)].some((text) => words.includes(foldPassword(text)))
}
