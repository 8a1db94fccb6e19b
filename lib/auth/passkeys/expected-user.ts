import { database } from '@/lib/database/client'
import { usernameKey } from '../model/accounts'
import { isUserHandle } from '../model/user-handle'
import type { Claims } from '../tokens/claims'
import { verificationFailed } from './ceremony'
import type { StoredPasskey } from './stored-passkey'

/** As a response shows it. */
type ShownHandle = string | null | undefined

/**
 * WebAuthn section 7.2 step 6, which the library omits. Only a challenge for one account needs no user handle. Passkeys have
 * handles of their own, because an account's imported ones may differ.
 */
export function requireExpectedUser(
  { user, userHandle }: StoredPasskey,
  shown: ShownHandle,
  { username, sub }: Claims<'login'>,
): void {
  const isLimited = username !== undefined || sub !== undefined
  const hasHandle = shown == null ? isLimited : userHandle === null ? isUserHandle(shown) : shown === userHandle
  const hasUsername = username === undefined || usernameKey(username) === user.usernameKey
  const hasId = sub === undefined || sub === user.id
  if (!hasHandle) throw verificationFailed("the user handle is missing, or not the passkey's")
  if (!hasUsername || !hasId) throw verificationFailed('the challenge is for another account')
}

/** For an imported passkey's first authentication. Trust on first use: the passkey then works with this handle only. */
export async function keepUserHandle({ id }: StoredPasskey, shown: ShownHandle): Promise<void> {
  if (shown == null) return
  const db = await database()
  // One conditional update, so that only one handle is ever accepted.
  const where = { id, OR: [{ userHandle: null }, { userHandle: shown }] }
  const { count } = await db.passkey.updateMany({ where, data: { userHandle: shown } })
  if (count === 0) throw verificationFailed('another user handle was first')
}
