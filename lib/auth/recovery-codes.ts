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

/** 24 characters of 5 bits: 120 random bits, far beyond guessing, so a plain digest keeps them safe. */
const codeCharacters = 24
/** base32 (RFC 4648 section 6): no character of it is easily taken for another. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const newCode = () => Array.from(randomBytes(codeCharacters), (byte) => alphabet[byte % 32]).join('')

const inGroups = (code: string) => (code.match(/.{4}/g) ?? []).join('-')

/** What was printed, however it was typed: case and separators do not matter, nor do the digits that are no base32. */
const normalizeCode = (typed: string) =>
  typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('0', 'O').replaceAll('1', 'I').replaceAll('8', 'B')

const digest = (code: string) => createHash('sha256').update(code).digest('base64url')

/**
 * Makes ten one-time codes in place of those before. They are told this once: only their digests are kept.
 *
 * @returns `{codes}`, each of six groups of four characters
 * @throws ApiError not_signed_in, reauthentication_required
 */
export async function createRecoveryCodes(context: RequestContext) {
  const { user } = await requireRecentSession(context.session)
  const made = Array.from({ length: limits.recoveryCodes }, newCode)
  await replaceCodes(user.id, made)
  await recordEvent(user.id, 'recovery_codes_made', context)
  return { codes: made.map(inGroups) }
}

async function replaceCodes(userId: string, made: string[]) {
  const db = await database()
  const data = made.map((code) => ({ hash: digest(code), userId }))
  await db
    .$transaction([
      // Two requests at once would each remove what was there before and add ten: the second waits for the first.
      lockUser(db, userId),
      db.recoveryCode.deleteMany({ where: { userId } }),
      db.recoveryCode.createMany({ data }),
    ])
    .catch((cause: unknown) => {
      throw isGone(cause) ? new ApiError('not_signed_in', { cause }) : cause
    })
}

/**
 * Opens a session for a username and one of its recovery codes, which is used up. Counted as an attempt to sign in.
 *
 * @param body `{username, code}`; case, spaces and hyphens of the code do not matter
 * @throws ApiError invalid_request, authentication_failed, too_many_attempts
 */
export async function signInWithRecoveryCode(body: unknown, context: RequestContext): Promise<OpenedSession> {
  const input = parse(recoverySignInInput, body)
  const user = await findUserForSignIn(input.username)
  const attempt = await consumeSignInAttempt(input.username, user, context, 'recovery')
  // An unknown user costs the same statement: nobody has the empty id.
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

/** Uses up a code. One delete decides between any number of simultaneous attempts. */
async function consumeCode(userId: string, code: string): Promise<boolean> {
  const db = await database()
  const { count } = await db.recoveryCode.deleteMany({ where: { hash: digest(code), userId } })
  return count === 1
}
