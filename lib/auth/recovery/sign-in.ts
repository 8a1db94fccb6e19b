import { ApiError } from '@/lib/api/errors'
import type { recoverySignInInput } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { findUserForSignIn, type SignInUser } from '../accounts/account'
import { recordFailure } from '../audit/events'
import { attributeRejections } from '../audit/log-rejection'
import { countSignInOutcome } from '../audit/sign-in-metric'
import type { Parsed } from '../request'
import { type OpenedSession, openSession } from '../sessions/issue'
import { limitFailures } from '../throttling/attempts'
import { signInAsOwner } from '../throttling/sign-in-attempt'
import { hashOfTyped, isUnexpired } from './codes'

export async function signInWithRecoveryCode({
  body: { username, code },
  context,
}: Parsed<typeof recoverySignInInput>): Promise<OpenedSession> {
  return countSignInOutcome('recovery', context, async () => {
    const user = await findUserForSignIn(username)
    attributeRejections(context, { account: user?.id ?? null, username, method: 'recovery' })
    const codeHash = hashOfTyped(code)
    const signIn = async () => {
      const { owner, isByOperator } = await requireCode(user, codeHash)
      const credential = `recovery/${owner.id}`
      return signInAsOwner({ user: owner, credential, context }, () =>
        openSession(owner, { method: 'recovery', codeHash, isByOperator }, context),
      )
    }
    const reportFailure = () => user && recordFailure(user.id, 'signin_failed', context, 'recovery')
    return limitFailures('recovery', context.address, signIn, reportFailure)
  })
}

/** Does not consume the code, so that an account past its limit of sign-ins keeps it. */
async function requireCode(user: SignInUser | null, hash: string) {
  const db = await database()
  // The same statement for unknown users: timing must not reveal which accounts exist.
  const code = await db.recoveryCode.findFirst({ where: { hash, userId: user?.id ?? '', ...isUnexpired() } })
  if (user && code) return { owner: user, isByOperator: code.rootId === null }
  throw new ApiError('authentication_failed')
}
