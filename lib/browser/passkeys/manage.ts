import type { Account, Passkey } from '@/lib/api/schemas'
import { pageNamespace } from '@/lib/messages/page-words'
import { runAction, withSentences } from '../failures/describe-failure'
import { ApiClientError, isCode } from '../failures/errors'
import type { Outcome } from '../failures/outcomes'
import { post } from '../requests/post'
import { register } from './ceremony'
import { signalUnknown } from './signals'

let justAdded: string | null = null

/** True if this page has just added the passkey: the person can then change its name at once. */
export const isJustAdded = ({ id }: Pick<Passkey, 'id'>) => id === justAdded

/**
 * Adds a passkey to the signed-in account.
 *
 * @param kind `promotion` creates it on this device; otherwise the person may choose a phone or a security key. `signIn` makes
 *   it count as a sign-in
 */
export function addPasskey(kind: { promotion?: boolean; signIn?: boolean } = {}): Promise<Outcome> {
  const action = async () => {
    justAdded = await register(kind).catch(throwWithoutFields)
  }
  return runAction(action, { title: pageNamespace('account').addPasskeyFailed })
}

/** Turns errors of fields into other errors, since the button that adds a passkey has no fields. */
function throwWithoutFields(error: unknown): never {
  if (!isCode(error, 'invalid_request')) throw error
  const { fields: { username, passkeys } = {}, ...details } = error.details
  // Without a session, the server treats the request as a sign-up whose username is missing.
  if (username) throw new ApiClientError('not_signed_in', details)
  throw passkeys ? new ApiClientError('invalid_request', { ...details, sentence: passkeys }) : error
}

/** Renames a passkey. */
export function renamePasskey({ id }: Passkey, name: string): Promise<Outcome> {
  const { renameFailed, removedElsewhere } = pageNamespace('passkeys')
  const rename = () => post('/api/i/passkeys/rename', { id, name: name.trim() })
  return runAction(withSentences({ not_found: removedElsewhere }, rename), { title: renameFailed, fields: ['name'] })
}

/** Removes a passkey, then signals the password manager to drop it, whichever user handle it has. */
export function removePasskey({ rpId }: Account, { id }: Passkey): Promise<Outcome> {
  const action = async () => {
    await post('/api/i/passkeys/remove', { id })
    signalUnknown({ rpId, credentialId: id })
  }
  const { removeFailed, removedElsewhere, onlyWay } = pageNamespace('passkeys')
  const sentences = { not_found: removedElsewhere, last_way_in: onlyWay }
  return runAction(withSentences(sentences, action), { title: removeFailed })
}
