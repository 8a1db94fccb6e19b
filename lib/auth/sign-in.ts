import { z } from 'zod'
import { database } from '@/lib/data/database'
import { ApiError } from '@/lib/error'
import type { Client } from './client'
import { hashPassword, isWeak, verifyPassword } from './hash'
import { givenPassword, parse, username } from './parse'
import { type Quota, take } from './quota'
import { type OpenedSession, openSession } from './session'
import { readToken } from './token'
import { findLogin, usernameKey } from './user'

const signInInput = z.object({ username, password: givenPassword })

/**
 * Opens a session for a username and password.
 *
 * @param body `{username, password}`
 * @throws ApiError invalid_request, authentication_failed, too_many_attempts, unavailable
 */
export async function signIn(body: unknown, client: Client): Promise<OpenedSession> {
  const input = parse(signInInput, body)
  const user = await findLogin(input.username)
  const attempt = await countAttempt(input.username, user, client)
  const hash = user?.passwordHash ?? null
  const good = await verifyPassword(input.password, hash).catch(async (error: unknown) => {
    await attempt.takeBack()
    throw error
  })
  if (!user || !hash || !good) throw new ApiError('authentication_failed')
  await attempt.succeeded()
  if (isWeak(hash)) await strengthen(user.id, hash, input.password)
  return openSession(user, 'pwd', client)
}

type Login = NonNullable<Awaited<ReturnType<typeof findLogin>>>

/**
 * Counts a guess before it is tried, so that guesses made at once are all counted.
 *
 * A browser that has signed in to this very account has a bucket of its own, so strangers who guess can slow an account
 * down but never lock its owner out (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
 */
async function countAttempt(username: string, user: Login | null, client: Client) {
  const device = client.device === null ? null : await readToken('device', client.device)
  const known = device !== null && user !== null && device.sub === user.id && device.epoch === user.sessionEpoch
  const [quota, whom]: [Quota, string] = known ? ['device', device.jti] : ['login', usernameKey(username)]
  const attempt = await take(quota, whom)
  const ofAddress = known
    ? null
    : await take('address', client.address).catch(async (error: unknown) => {
        await attempt.giveBack()
        throw error
      })
  return {
    succeeded: () => Promise.all([attempt.clear(), ofAddress?.giveBack()]),
    takeBack: () => Promise.all([attempt.giveBack(), ofAddress?.giveBack()]),
  }
}

/** Raises a hash to the configured cost, unless the password was changed meanwhile. */
async function strengthen(id: string, passwordHash: string, password: string) {
  const stronger = await hashPassword(password)
  const client = await database()
  await client.user.updateMany({ where: { id, passwordHash }, data: { passwordHash: stronger } })
}
