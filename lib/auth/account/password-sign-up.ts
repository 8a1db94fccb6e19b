import { ApiError } from '@/lib/api/errors'
import { isConflict } from '@/lib/database/errors'
import { type UserWithEpoch, usernameKey } from '../model/accounts'
import { requireFreeIdentifier } from '../model/identifiers'
import type { Parsed } from '../model/request-context'
import { newUserId } from '../model/user-handle'
import { requireShortWait } from '../passwords/hash-queue'
import { hashPassword } from '../passwords/password-hash'
import { requireUnguessable, type signUpRules } from '../passwords/password-rules'
import type { OpenedSession } from '../sessions/issue-session-tokens'
import { openSession } from '../sessions/open-session'
import { consumeAddressAttempt, refundOnError } from '../throttling/attempts'
import { insertAccount } from './insert-account'
import { type Invitation, requireSignUp } from './invitations'

export async function signUp({ body: input, context }: Parsed<typeof signUpRules>): Promise<OpenedSession> {
  const invitation = await requireSignUp(input.invitation, context)
  // Its own share of the hash queue: sign-ups under an existing name must not delay its owner.
  const account = `sign-up/${usernameKey(input.username)}`
  await requireShortWait({ account, context })
  // Not refunded on success: this also limits how many accounts an address can create. Nor for a password that is refused, since
  // telling that it is a common one takes milliseconds.
  const attempt = await consumeAddressAttempt('address', context.address)
  const create = async () => {
    await requireUnguessable(input.password, input.username)
    // A name taken meanwhile is not worth a hash; on insert, the unique key decides.
    const afterWaiting = () => requireFreeIdentifier(usernameKey(input.username))
    const hash = await hashPassword(input.password, { account, context, afterWaiting })
    return createUser(input.username, hash, invitation)
  }
  const user = await refundOnError(attempt, create, 'username_taken', 'invalid_request')
  return openSession(user, { method: 'pwd', isNew: true }, context)
}

async function createUser(
  username: string,
  passwordHash: string,
  invitation: Invitation | null,
): Promise<UserWithEpoch> {
  const data = {
    id: newUserId(),
    username,
    usernameKey: usernameKey(username),
    passwordHash,
    passwordSetAt: new Date(),
  }
  // Insert and catch: the unique key admits one of several concurrent sign-ups.
  return insertAccount(invitation, data, (db) => db.user.create({ data })).catch((error: unknown) => {
    throw isConflict(error) ? new ApiError('username_taken', { cause: error }) : error
  })
}
