import { z } from 'zod'
import { database } from '@/lib/data/database'
import { ApiError } from '@/lib/error'
import { countGuess, type Login } from './attempt'
import type { Client } from './client'
import { recordEvent } from './events'
import { hashPassword, isWeak, verifyPassword } from './hash'
import { givenPassword, parse, username } from './parse'
import { type OpenedSession, openSession } from './session'
import { findLogin } from './user'

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
