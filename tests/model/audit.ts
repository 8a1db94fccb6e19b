import { redeem, refresh, showToken } from './app-requests'
import { type Model, type Real, settle } from './commands'
import type { Session } from './history'
import type { Held } from './kept'
import type { Shown } from './world'

/** At the end all that was acknowledged is there, and what has ended is not: every session, passkey and code is tried. */
export async function audit(model: Model, real: Real): Promise<void> {
  const { world } = real
  const [actor] = world.actors
  if (!actor) return
  const by = (session: Held<Session> | null): Shown => ({ actor, session, stepUp: null })
  await Promise.all(world.sessions.map((session) => world.send('/api/i', by(session))))
  settle(model, real)

  await Promise.all(world.accessTokens.map((token) => showToken(world, by(null), token)))
  await Promise.all(world.refreshTokens.map((token) => refresh(world, by(null), token)))
  settle(model, real)
  await Promise.all(world.appCodes.map((code) => redeem(world, by(null), code)))
  settle(model, real)

  const newest = new Map(world.sessions.map((session) => [session.account, session]))
  await Promise.all([...newest.values()].map((session) => world.send('/api/i/sessions', by(session))))
  settle(model, real)

  await Promise.all(
    [...world.passkeys].map(async ([passkey, held]) => {
      await world.send('/api/auth/login/options', by(null))
      const challenge = world.challenges.findLast(({ type }) => type === 'get')
      if (!challenge) return
      const response = world.authenticator.get(challenge.options, {}, held)
      await world.send('/api/auth/login/verify', by(null), { challenge, passkey, verified: true }, response)
    }),
  )
  settle(model, real)

  const codes = new Map(world.codes.map((code) => [code.username, code]))
  await Promise.all(
    [...codes.values()].map(({ username, name: code, value }) =>
      world.send('/api/signin/recovery', by(null), { username, code }, { username, code: value }),
    ),
  )
  settle(model, real)
}
