import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server'
import { z } from 'zod'
import { settings } from '@/lib/data/settings'
import { ApiError } from '@/lib/error'
import type { Client } from './client'
import { recordEvent } from './events'
import { parse, username } from './parse'
import type { Passkey } from './passkey'
import { addPasskey, createPasskeyUser, newPasskey } from './passkey-store'
import { take } from './quota'
import { findSession, type OpenedSession, openSession, requireFresh, type Session } from './session'
import { challengeSeconds, issueToken } from './token'
import { isTaken, newUserId, publicUser, type User, usernameKey } from './user'
import { algorithms, base64url, countingFailures, credential, requireVerified, spendChallenge } from './webauthn'

const optionsInput = z.object({
  username: username.optional(),
  automatic: z.boolean({ error: 'Say true or false.' }).default(false),
  promotion: z.boolean({ error: 'Say true or false.' }).default(false),
})
type OptionsInput = z.infer<typeof optionsInput>

const responseInput = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url('clientDataJSON'),
    attestationObject: base64url('attestationObject'),
    transports: z.array(z.string()).default([]).catch([]),
  }),
})

/** What a finished registration gives: the passkey, and the session that goes on or was opened with the account. */
export interface Registered {
  user: User
  passkey: Passkey
  expiresAt: Date
  opened: OpenedSession | null
}

/**
 * Begins a registration: for a new account under a free name, or, with a session, for that session's account. Nothing is
 * written: the account is made when the answer is verified.
 *
 * @param body `{username?, automatic?, promotion?}`; with a session the name may only be its own. `automatic`: nobody is
 *   asked (conditional create); `promotion`: this device is asked for, where otherwise a security key will do too
 * @returns PublicKeyCredentialCreationOptionsJSON (WebAuthn section 5.1.8)
 * @throws ApiError invalid_request, not_signed_in, reauthentication_required, username_taken, too_many_attempts
 */
export async function startRegistration(body: unknown, client: Client) {
  const input = parse(optionsInput, body)
  const session = await findSession(client.session)
  const account = session ? ownAccount(session, input) : await freeAccount(input, client)
  const { token } = await issueToken('register', account.claims, challengeSeconds)
  const { rpId, appName, userVerification } = settings()
  return generateRegistrationOptions({
    rpName: appName,
    rpID: rpId,
    userName: account.username,
    userDisplayName: account.username,
    userID: new Uint8Array(Buffer.from(account.claims.sub, 'base64url')),
    challenge: token,
    timeout: challengeSeconds * 1000,
    attestationType: 'none',
    excludeCredentials: session?.passkeys.map(({ id, transports }) => ({ id, transports })) ?? [],
    authenticatorSelection: {
      residentKey: 'required',
      userVerification: input.automatic ? 'preferred' : userVerification,
    },
    supportedAlgorithmIDs: algorithms,
    ...(input.promotion && { preferredAuthenticatorType: 'localDevice' as const }),
  })
}

function ownAccount(session: Session, { username: asked, automatic }: OptionsInput) {
  const { user, claims } = session
  requireFresh(session)
  // A passkey that nobody is asked for rests on the password just given, so no other way of signing in will do.
  if (automatic && !claims.amr.includes('pwd')) throw new ApiError('reauthentication_required')
  if (asked !== undefined && usernameKey(asked) !== usernameKey(user.username)) {
    throw new ApiError('invalid_request', { fields: { username: `You are signed in as ${user.username}.` } })
  }
  return { username: user.username, claims: { sub: user.id, ...(automatic && { automatic }) } }
}

async function freeAccount({ username: asked, automatic }: OptionsInput, client: Client) {
  if (automatic) throw new ApiError('not_signed_in')
  if (asked === undefined) throw new ApiError('invalid_request', { fields: { username: 'Enter a username.' } })
  // Counted before it is told, so that past the quota the answer is the same for free names and taken ones.
  const attempt = await take('address', client.address)
  if (await isTaken(asked)) throw new ApiError('username_taken')
  await attempt.giveBack()
  return { username: asked, claims: { sub: newUserId(), username: asked } }
}

/**
 * Verifies a registration (WebAuthn section 7.1) and keeps the passkey.
 *
 * @param body RegistrationResponseJSON
 * @throws ApiError invalid_request, authentication_failed, username_taken, passkey_taken, too_many_attempts
 */
export async function finishRegistration(body: unknown, client: Client): Promise<Registered> {
  const input = parse(responseInput, body)
  const { claims, session, info } = await countingFailures(client, () => verifyRegistration(input, client))
  const passkey = newPasskey(info, input.response.transports)
  if (session) {
    const added = await addPasskey(session.user.id, passkey)
    await recordEvent(session.user.id, 'passkey_added', client)
    const expiresAt = new Date(session.claims.exp * 1000)
    return { user: publicUser(session.user), passkey: added, expiresAt, opened: null }
  }
  await take('address', client.address)
  const owner = await createPasskeyUser(claims.sub, claims.username as string, passkey)
  const opened = await openSession(owner.user, 'passkey', client)
  await recordEvent(owner.user.id, 'account_created', client, 'passkey')
  return { user: opened.user, passkey: owner.passkey, expiresAt: opened.session.expiresAt, opened }
}

async function verifyRegistration(input: z.infer<typeof responseInput>, client: Client) {
  const { challenge, claims } = await spendChallenge('register', input.response.clientDataJSON)
  const session = await findSession(client.session)
  // The challenge names the account: with a name it is for a new one and no session, without for this session's alone.
  const agrees = claims.username === undefined ? session?.user.id === claims.sub : session === null
  if (!agrees) throw new ApiError('authentication_failed')
  const { origins, rpId, userVerification } = settings()
  const { registrationInfo: info } = await requireVerified(
    verifyRegistrationResponse({
      response: { ...input, response: { ...input.response, transports: [] } },
      expectedChallenge: challenge,
      expectedOrigin: origins,
      expectedRPID: rpId,
      // Only the challenge that was marked for it: a passkey that nobody was asked for shows neither (section 5.1.3).
      requireUserPresence: !claims.automatic,
      requireUserVerification: userVerification === 'required' && !claims.automatic,
      supportedAlgorithmIDs: algorithms,
    }),
  )
  return { claims, session, info }
}
