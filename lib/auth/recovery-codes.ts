import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { ApiError } from '@/lib/api/errors'
import { database } from '@/lib/database/client'
import { isGone } from '@/lib/database/errors'
import { findLogin, lockUser } from './accounts'
import { recordEvent } from './events'
import type { Client } from './request-context'
import { type OpenedSession, openSession, requireFreshSession } from './sessions'
import { countGuess } from './sign-in-attempt'
import { parse, username } from './validation'

const codes = 10
/** 24 characters of 5 bits: 120 random bits, far beyond guessing, so a plain digest keeps them safe. */
const codeCharacters = 24
/** base32 (RFC 4648 section 6): no character of it is easily taken for another. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const newCode = () => Array.from(randomBytes(codeCharacters), (byte) => alphabet[byte % 32]).join('')

const inGroups = (code: string) => (code.match(/.{4}/g) ?? []).join('-')

/** What was printed, however it was typed: case and separators do not matter, nor do the digits that are no base32. */
const normalized = (typed: string) =>
  typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('0', 'O').replaceAll('1', 'I').replaceAll('8', 'B')

const digest = (code: string) => createHash('sha256').update(code).digest('base64url')

/**
 * Makes ten one-time codes in place of those before. They are told this once: only their digests are kept.
 *
 * @returns `{codes}`, each of six groups of four characters
 * @throws ApiError not_signed_in, reauthentication_required
 */
export async function makeRecoveryCodes(client: Client) {
  const { user } = await requireFreshSession(client.session)
  const made = Array.from({ length: codes }, newCode)
  await replaceCodes(user.id, made)
  await recordEvent(user.id, 'recovery_codes_made', client)
  return { codes: made.map(inGroups) }
}

async function replaceCodes(userId: string, made: string[]) {
  const client = await database()
  const data = made.map((code) => ({ hash: digest(code), userId }))
  await client
    .$transaction([
      // Two requests at once would each remove what was there before and add ten: the second waits for the first.
      lockUser(client, userId),
      client.recoveryCode.deleteMany({ where: { userId } }),
      client.recoveryCode.createMany({ data }),
    ])
    .catch((cause: unknown) => {
      throw isGone(cause) ? new ApiError('not_signed_in', { cause }) : cause
    })
}

const recoveryInput = z.object({
  username,
  code: z
    .string({ error: 'Enter a recovery code.' })
    .max(256, 'This is too long for a recovery code.')
    .refine((text) => normalized(text) !== '', 'Enter a recovery code.'),
})

/**
 * Opens a session for a username and one of its recovery codes, which is used up. Counted as an attempt to sign in.
 *
 * @param body `{username, code}`; case, spaces and hyphens of the code do not matter
 * @throws ApiError invalid_request, authentication_failed, too_many_attempts
 */
export async function signInWithCode(body: unknown, client: Client): Promise<OpenedSession> {
  const input = parse(recoveryInput, body)
  const user = await findLogin(input.username)
  const guess = await countGuess(input.username, user, client, 'recovery')
  // An unknown user costs the same statement: nobody has the empty id.
  const spent = await spendCode(user?.id ?? '', normalized(input.code)).catch(async (error: unknown) => {
    await guess.takeBack()
    throw error
  })
  if (!user || !spent) {
    guess.failed()
    throw new ApiError('authentication_failed')
  }
  await guess.succeeded()
  const opened = await openSession(user, 'recovery', client)
  await recordEvent(user.id, 'signed_in', client, 'recovery')
  return opened
}

/** Uses up a code. One delete decides between any number of simultaneous attempts. */
async function spendCode(userId: string, code: string): Promise<boolean> {
  const client = await database()
  const { count } = await client.recoveryCode.deleteMany({ where: { hash: digest(code), userId } })
  return count === 1
}
