import { askForApp, logOutOfApp, redeem, refresh, showToken } from './app-requests'
import type { HeldChallenge } from './kept'
import type { Order } from './operator'
import type { Shown, World } from './world'

/** What an actor does. Numbers choose among what there is at that time. */
export type Action = {
  kind: keyof typeof actions
  actor: number
  /** 0: with any session that there ever was; 1: with any step-up token; otherwise with the actor's own. */
  stale: number
  pick: number
  other: number
  flag: boolean
  /** How many copies of its last request it sends at once. */
  times: number
}

const choose = <T>(from: readonly T[], number: number): T | undefined => from[number % Math.max(1, from.length)]
/** Three passwords for everybody. */
const passwordFor = (number: number) => `a long password ${number % 3}`

/** What the action shows: usually the session and step-up token of its browser. */
function shown(world: World, { actor: index, stale, pick }: Action): Shown {
  const actor = world.actors[index % world.actors.length] as Shown['actor']
  const session = stale === 0 ? (choose(world.sessions, pick) ?? null) : actor.session
  const own = world.stepUps.findLast((stepUp) => stepUp.session === session?.name)
  return { actor, session, stepUp: (stale === 1 ? choose(world.stepUps, pick) : own) ?? null }
}

const signedOut = ({ actor }: Shown): Shown => ({ actor, session: null, stepUp: null })

/** Four names for everybody, each in two spellings. They could be addresses, too. */
const usernameFor = ({ pick, flag }: Action, base: string) => `${flag ? 'Ada' : 'ada'}-${pick % 4}-${base}@x.org`

/** A passkey of the session's account, or any. */
function choosePasskey(world: World, { session }: Shown, { other, flag }: Action): string | undefined {
  const names = [...world.passkeys.keys()]
  const id = session && world.names.idOf(session.account)
  const own = names.filter((name) => world.passkeys.get(name)?.userHandle === id)
  return choose(own.length > 0 && !(flag && other === 0) ? own : names, other)
}

async function begin(world: World, path: string, by: Shown, username?: string): Promise<HeldChallenge | undefined> {
  const facts = username === undefined ? {} : { username }
  const answer = await world.send(path, by, facts, facts)
  return world.challenges.findLast(({ name }) => name === answer?.challenge?.name)
}

const beginRegistration = (world: World, by: Shown, username?: string) =>
  begin(world, '/api/auth/register/options', by, username)
const beginAuthentication = (world: World, by: Shown) => begin(world, '/api/auth/login/options', by)

/** The same answer of an authenticator, so many times at once. */
async function finish(world: World, challenge: HeldChallenge | undefined, by: Shown, action: Action) {
  if (challenge?.type === 'create') return finishRegistration(world, challenge, by, action)
  const name = choosePasskey(world, by, action)
  const passkey = world.passkeys.get(name ?? '')
  if (!challenge || !name || !passkey) return
  const verified = action.pick % 4 !== 0
  const response = world.authenticator.get(challenge.options, { flags: { uv: verified } }, passkey)
  const facts = { challenge, passkey: name, verified }
  await repeat(action, () => world.send('/api/auth/login/verify', by, facts, response))
}

async function finishRegistration(world: World, challenge: HeldChallenge, by: Shown, action: Action) {
  const { pick, other, flag } = action
  const verified = pick % 4 !== 0
  // Now and then an authenticator that claims the id of another passkey, or of one that was removed.
  const known = flag && other % 3 === 0 ? choose([...world.passkeys.values()], pick) : undefined
  const flags = { uv: verified }
  const response = world.authenticator.create(challenge.options, known ? { flags, id: known.id } : { flags })
  const made = world.authenticator.passkeys.at(-1)
  const facts = { challenge, passkey: world.names.of('passkey', response.id), verified }
  await repeat(action, async () => {
    const answer = await world.send('/api/auth/register/verify', by, facts, response)
    // Without an answer it may have been registered. Of two keys under one id nobody knows then which is, so neither signs in.
    if (answer === null && known) world.passkeys.delete(facts.passkey)
    else if (made && (answer === null || answer.status === 201)) world.passkeys.set(facts.passkey, made)
  })
}

const repeat = ({ times }: Action, act: (index: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: times }, (_, index) => act(index)))

/** Two groups for everybody. */
async function order(world: World, name: Order['name'], action: Action, base: string) {
  const target = choose([...world.usernames.keys()], action.other)
  if (target === undefined) return
  const group = `group-${action.pick % 2}-${base}`
  await repeat(action, () => world.order(name, { target, group, email: usernameFor(action, base) }))
}

export type Act = (world: World, by: Shown, action: Action, base: string) => Promise<unknown>

export const actions = {
  'sign up': async (world, by, action, base) => {
    const challenge = await beginRegistration(world, signedOut(by), usernameFor(action, base))
    await finish(world, challenge, signedOut(by), action)
  },
  'add a passkey': async (world, by, action) => finish(world, await beginRegistration(world, by), by, action),
  'sign in': async (world, by, action) =>
    finish(world, await beginAuthentication(world, signedOut(by)), signedOut(by), action),
  reauthenticate: async (world, by, action) => finish(world, await beginAuthentication(world, by), by, action),
  'ask for a challenge': (world, by, { flag }) =>
    flag ? beginRegistration(world, by) : beginAuthentication(world, by),
  'answer a challenge': (world, by, action) =>
    finish(world, world.challenges.at(-1 - (action.pick % Math.max(1, world.challenges.length))), by, action),
  // Several at once are of different passkeys, down to the last.
  'remove a passkey': (world, by, action) =>
    repeat(action, async (index) => {
      const passkey = choosePasskey(world, by, { ...action, other: action.other + index })
      if (passkey === undefined) return
      await world.send('/api/i/passkeys/remove', by, { passkey }, { id: world.names.idOf(passkey) })
    }),
  'make codes': (world, by, action) =>
    repeat(action, async () => {
      const answer = await world.send('/api/i/recovery-codes', by)
      const username = world.usernames.get(by.session?.account ?? '') ?? ''
      const values: string[] = answer?.body?.codes ?? []
      world.codes.push(...values.map((value) => ({ name: world.names.of('code', value), value, username })))
    }),
  'use a code': async (world, by, action) => {
    const chosen = world.codes.at(-1 - (action.pick % Math.max(1, world.codes.length)))
    if (!chosen) return
    const { name: code, value, username } = chosen
    const send = () => world.send('/api/signin/recovery', signedOut(by), { username, code }, { username, code: value })
    await repeat(action, send)
  },
  rename: async (world, by, action, base) => {
    const username = usernameFor(action, base)
    await repeat(action, () => world.send('/api/i/username', by, { username }, { username }))
  },
  'sign out': (world, by, action) => repeat(action, () => world.send('/api/signout', by)),
  'sign out everywhere': (world, by, action) => {
    const { flag: exceptThis } = action
    const body = exceptThis ? { exceptThis } : {}
    return repeat(action, () => world.send('/api/i/signout-everywhere', by, { exceptThis }, body))
  },
  look: (world, by) => world.send('/api/i', by),
  'list sessions': (world, by) => world.send('/api/i/sessions', by),
  'revoke a session': async (world, by, action) => {
    const own = world.sessions.filter(({ account }) => account === by.session?.account)
    const target = choose(action.flag ? own : world.sessions, action.other)?.name
    if (target === undefined) return
    const body = { id: world.names.idOf(target) }
    await repeat(action, () => world.send('/api/i/sessions/revoke', by, { target }, body))
  },
  'set a password': (world, by, action) => {
    const body = { password: passwordFor(action.pick), currentPassword: passwordFor(action.other) }
    // All that were made so far.
    const keepPasskeys = world.authenticator.passkeys.slice(-50).map(({ id }) => id)
    const kept = keepPasskeys.map((id) => world.names.of('passkey', id))
    const sent = { ...body, keepPasskeys, keepRecoveryCodes: true }
    return repeat(action, () => world.send('/api/i/password', by, { ...body, kept }, sent))
  },
  'remove the password': (world, by, action) => repeat(action, () => world.send('/api/i/password/remove', by)),
  'sign in with a password': (world, by, action, base) => {
    const body = { username: usernameFor(action, base), password: passwordFor(action.other) }
    return repeat(action, () => world.send('/api/signin', signedOut(by), body, body))
  },
  'sign up with a password': (world, by, action, base) => {
    const body = { username: usernameFor(action, base), password: passwordFor(action.other) }
    return repeat(action, () => world.send('/api/signup', signedOut(by), body, body))
  },
  'join a group': (world, _by, action, base) => order(world, 'join', action, base),
  'leave a group': (world, _by, action, base) => order(world, 'leave', action, base),
  'delete a group': (world, _by, action, base) => order(world, 'delete group', action, base),
  'set an address': (world, _by, action, base) => order(world, 'email', action, base),
  'let the app in': (world, by, action) => repeat(action, () => askForApp(world, by, action.flag)),
  'redeem a code for the app': async (world, by, action) => {
    const code = choose(world.appCodes.toReversed(), action.pick)
    if (code) await repeat(action, () => redeem(world, by, code))
  },
  'use a refresh token': async (world, by, action) => {
    // Mostly the newest.
    const token = choose(world.refreshTokens.toReversed(), action.pick % 4)
    if (token) await repeat(action, () => refresh(world, by, token))
  },
  'sign out of the app': async (world, by, action) => {
    const token = choose(world.idTokens.toReversed(), action.pick)
    if (token) await repeat(action, () => logOutOfApp(world, by, token))
  },
  'show an access token': async (world, by, { pick }) => {
    const token = choose(world.accessTokens.toReversed(), pick)
    if (token) await showToken(world, by, token)
  },
  'take access away': (world, by, action) =>
    repeat(action, () => world.send('/api/i/apps/revoke', by, {}, { id: world.app.id })),
  'delete the account': (world, by, action) => repeat(action, () => world.send('/api/i/delete', by)),
} satisfies Record<string, Act>

export const perform = (world: World, action: Action, base: string) =>
  (actions[action.kind] as Act)(world, shown(world, action), action, base)
