import { z } from 'zod'
import { ApiError } from '@/lib/api/errors'
import { database } from '@/lib/database/client'
import { findLogin } from './accounts'
import { recordEvent } from './events'
import { hashPassword, isWeak, verifyPassword } from './password-hash'
import type { Client } from './request-context'
import { type OpenedSession, openSession } from './sessions'
import { countGuess, type Login } from './sign-in-attempt'
import { givenPassword, parse, username } from './validation'

const signInInput = z.object({ username, password: givenPassword })

/**
 * Opens a session for a username and password.
 *
 * @param body `{username, password}`
 * @throws ApiError invalid_request, authentication_failed, too_many_attempts, unavailable
 */
export async function signIn(body: unknown, client: Client): Promise<OpenedSession> {
  const input = parse(signInInput, body)
  const user = await provePassword(input.username, input.password, client)
  const opened = await openSession(user, 'pwd', client)
  await recordEvent(user.id, 'signed_in', client, 'pwd')
  return opened
}

/**
 * The user whose password this is. Every call counts as an attempt to sign in.
 *
 * @throws ApiError authentication_failed, too_many_attempts, unavailable
 */
export async function provePassword(username: string, password: string, client: Client): Promise<Login> {
  const user = await findLogin(username)
  const guess = await countGuess(username, user, client, 'pwd')
  const hash = user?.passwordHash ?? null
  const good = await verifyPassword(password, hash).catch(async (error: unknown) => {
    await guess.takeBack()
    throw error
  })
  if (!user || !hash || !good) {
    guess.failed()
    throw new ApiError('authentication_failed')
  }
  await guess.succeeded()
  if (isWeak(hash)) await strengthen(user.id, hash, password)
  return user
}

/** Raises a hash to the configured cost, unless the password was changed meanwhile. */
async function strengthen(id: string, passwordHash: string, password: string) {
  const stronger = await hashPassword(password)
  const client = await database()
  await client.user.updateMany({ where: { id, passwordHash }, data: { passwordHash: stronger } })
}
