import { ApiError } from '@/lib/api/errors'
import { isConflict } from '@/lib/database/errors'
import { newUserId, type UserWithEpoch, usernameKey } from '../account'
import { requireFreeIdentifier } from '../accounts/identifiers'
import { admitsAdministrator, type Invitation, insertAccount, requireSignUp } from '../accounts/sign-up'
import type { Parsed } from '../request'
import { type OpenedSession, openSession } from '../sessions/issue'
import { consumeAddressAttempt, refundOnError } from '../throttling/attempts'
import { requireShortWait } from './hash-queue'
import { hashPassword } from './password-hash'
import { requireUnguessable, type signUpRules } from './password-rules'

export async function signUpWithPassword({ body: input, context }: Parsed<typeof signUpRules>): Promise<OpenedSession> {
  const invitation = await requireSignUp(input.invitation, context)
  if (admitsAdministrator(invitation)) throw new ApiError('passkey_required')
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
  return openSession(user, { method: 'pwd', passwordHash: null }, context, 'sign-up')
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
  return insertAccount(invitation, data).catch((error: unknown) => {
    throw isConflict(error) ? new ApiError('username_taken', { cause: error }) : error
  })
}
