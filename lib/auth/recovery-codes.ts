import { createHash, randomBytes } from 'node:crypto'
import { ApiError } from '@/lib/api/errors'
import { limits } from '@/lib/api/limits'
import { recoverySignInInput } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { isGone } from '@/lib/database/errors'
import { findUserForSignIn, lockUser } from './accounts'
import { recordEvent } from './events'
import type { RequestContext } from './request-context'
import { type OpenedSession, openSession, requireRecentSession } from './sessions'
import { consumeSignInAttempt } from './sign-in-attempt'
import { parse } from './validation'

/** 120 random bits: beyond guessing, so that a plain digest protects them at rest. */
const codeCharacters = 24
/** base32 (RFC 4648 section 6) */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const newCode = () => Array.from(randomBytes(codeCharacters), (byte) => alphabet[byte % 32]).join('')

const formatCode = (code: string) => (code.match(/.{4}/g) ?? []).join('-')

/** Ignores case and separators, and reads the digits that base32 lacks as the letters that they resemble. */
const normalizeCode = (typed: string) =>
  typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('0', 'O').replaceAll('1', 'I').replaceAll('8', 'B')

const digest = (code: string) => createHash('sha256').update(code).digest('base64url')

/**
 * Replaces all recovery codes of the account. Only digests are stored, so the new ones cannot be shown again.
 *
 * @returns `{codes}`: ten, each six hyphenated groups of four characters
 * @throws ApiError not_signed_in, reauthentication_required
 */
export async function createRecoveryCodes(context: RequestContext) {
  const { user } = await requireRecentSession(context.session)
  const codes = Array.from({ length: limits.recoveryCodes }, newCode)
  await replaceCodes(user.id, codes)
  await recordEvent(user.id, 'recovery_codes_made', context)
  return { codes: codes.map(formatCode) }
}

async function replaceCodes(userId: string, codes: string[]) {
  const db = await database()
  const data = codes.map((code) => ({ hash: digest(code), userId }))
  await db
    .$transaction([
      // Without the lock, two concurrent requests would leave twenty codes.
      lockUser(db, userId),
      db.recoveryCode.deleteMany({ where: { userId } }),
      db.recoveryCode.createMany({ data }),
    ])
    .catch((cause: unknown) => {
      throw isGone(cause) ? new ApiError('not_signed_in', { cause }) : cause
    })
}

/**
 * @param body `{username, code}`; case, spaces and hyphens of the code do not matter
 * @throws ApiError invalid_request, authentication_failed, too_many_attempts
 */
export async function signInWithRecoveryCode(body: unknown, context: RequestContext): Promise<OpenedSession> {
  const input = parse(recoverySignInInput, body)
  const user = await findUserForSignIn(input.username)
  const attempt = await consumeSignInAttempt(input.username, user, context, 'recovery')
  // The same statement for unknown users: timing must not reveal which accounts exist.
  const consumed = await consumeCode(user?.id ?? '', normalizeCode(input.code)).catch(async (error: unknown) => {
    await attempt.refund()
    throw error
  })
  if (!user || !consumed) {
    attempt.fail()
    throw new ApiError('authentication_failed')
  }
  await attempt.succeed()
  const opened = await openSession(user, 'recovery', context)
  await recordEvent(user.id, 'signed_in', context, 'recovery')
  return opened
}

/** The delete admits one of several concurrent attempts. @returns false if there is no such code */
async function consumeCode(userId: string, code: string): Promise<boolean> {
  const db = await database()
  const { count } = await db.recoveryCode.deleteMany({ where: { hash: digest(code), userId } })
  return count === 1
}
