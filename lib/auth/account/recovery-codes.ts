import { createHash, randomBytes } from 'node:crypto'
import { ApiError } from '@/lib/api/errors'
import { limits } from '@/lib/api/limits'
import type { recoverySignInInput } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { recordEvent, recordFailure } from '../audit/events'
import { attributeRejections } from '../audit/log-rejection'
import { countSignInOutcome } from '../audit/sign-in-metric'
import { findUserForSignIn, type SignInUser } from '../model/accounts'
import type { Parsed, RequestContext } from '../model/request-context'
import { endOfRecoveryCodes } from '../sessions/ending/endings'
import { openSession } from '../sessions/open-session'
import type { OpenedSession } from '../sessions/session-tokens'
import type { StepUp } from '../sessions/step-up'
import { asStepUp, type PrivilegedWriter } from '../sessions/write-as-session'
import { writeWithLogouts } from '../sessions/write-with-logouts'
import { limitAccountWrites, limitFailures } from '../throttling/attempts'
import { signInAsOwner } from '../throttling/sign-in-attempt'

/** 120 random bits, too many to guess, so a plain digest protects them at rest. */
const codeCharacters = 24
/** RFC 4648 section 6 */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const newCode = () => Array.from(randomBytes(codeCharacters), (byte) => alphabet[byte % 32]).join('')

const formatCode = (code: string) => (code.match(/.{4}/g) ?? []).join('-')

/** Digits that base32 lacks are read as the letters they resemble. */
const normalizeCode = (typed: string) =>
  typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('0', 'O').replaceAll('1', 'I').replaceAll('8', 'B')

const digest = (code: string) => createHash('sha256').update(code).digest('base64url')

/** @returns ten codes of six hyphenated groups of four characters; only their digests are stored */
export async function createRecoveryCodes({ stepUp, context }: { stepUp: StepUp; context: RequestContext }) {
  const { user, claims } = stepUp.session
  const codes = await limitAccountWrites(user.id, () => replaceCodesOfUser(asStepUp(stepUp), user.id, claims.jti))
  await recordEvent(user.id, 'recovery_codes_made', context, { session: claims })
  return { codes }
}

/** @param sid the one session that may stay if an old code opened it */
export async function replaceCodesOfUser(
  write: PrivilegedWriter,
  userId: string,
  sid: string | null,
): Promise<string[]> {
  const codes = Array.from({ length: limits.recoveryCodes }, newCode)
  const data = codes.map((code) => ({ hash: digest(code), userId }))
  await writeWithLogouts(write, { userId }, (db) => ({
    oldCodes: db.recoveryCode.deleteMany({ where: { userId } }),
    newCodes: db.recoveryCode.createMany({ data }),
    user: db.user.updateMany({ where: { id: userId }, data: { recoveryCodesMadeAt: new Date() } }),
    // Whoever had the old codes may have signed in with one.
    ...endOfRecoveryCodes(db, userId, sid ?? ''),
  }))
  return codes.map(formatCode)
}

export async function signInWithRecoveryCode({
  body: { username, code },
  context,
}: Parsed<typeof recoverySignInInput>): Promise<OpenedSession> {
  return countSignInOutcome('recovery', context, async () => {
    const user = await findUserForSignIn(username)
    attributeRejections(context, { account: user?.id ?? null, username, method: 'recovery' })
    const codeHash = digest(normalizeCode(code))
    const signIn = async () => {
      const owner = await requireCode(user, codeHash)
      return signInAsOwner(owner, () => openSession(owner, { method: 'recovery', codeHash }, context))
    }
    const reportFailure = () => user && recordFailure(user.id, 'signin_failed', context, 'recovery')
    return limitFailures('recovery', context.address, signIn, reportFailure)
  })
}

/** Does not consume the code, so that an account past its limit of sign-ins keeps it. */
async function requireCode(user: SignInUser | null, hash: string): Promise<SignInUser> {
  const db = await database()
  // The same statement for unknown users: timing must not reveal which accounts exist.
  const code = await db.recoveryCode.findFirst({ where: { hash, userId: user?.id ?? '' } })
  if (user && code) return user
  throw new ApiError('authentication_failed')
}
