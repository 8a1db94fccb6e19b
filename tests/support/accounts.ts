import { randomBytes } from 'node:crypto'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { expect } from 'playwright/test'
import { type Answer, Client } from './client'
import type { Server } from './server/server'
import { Authenticator } from './webauthn/authenticator'
import type { Algorithm, Tampering } from './webauthn/authenticator-data'

/** The password of test accounts. */
export const PASSWORD = 'correct horse battery staple'

/** One that they change it to. */
export const NEW_PASSWORD = 'another horse, another staple'

export const WRONG_PASSWORD = 'a wrong password'

/** A unique username. */
export function randomName(): string {
  return `user-${randomBytes(8).toString('hex')}`
}

/** The invitation in a link that `invite` printed: behind the #, which no request carries. */
export const invitationIn = (url: string) => new URLSearchParams(new URL(url).hash.slice(1)).get('invitation') ?? ''

const opened = (answer: Answer) => ({
  id: answer.body.user.id as string,
  token: answer.body.token as string,
  stepUp: answer.body.stepUp as string,
  answer,
})

/** Creates an account with a password and signs the client in. */
export async function signUp(client: Client, username = randomName(), password = PASSWORD) {
  const answer = await client.post('/api/signup', { username, password })
  expect(answer.status, answer.text).toBe(201)
  return { username, password, ...opened(answer) }
}

export function signInWithPassword(client: Client, username: string, password = PASSWORD): Promise<Answer> {
  return client.post('/api/signin', { username, password })
}

/** Signs in from a browser that the account does not know, of which its owner gets a notice. */
export async function signInElsewhere(server: Server, username: string): Promise<Client> {
  const client = new Client(server)
  expect((await signInWithPassword(client, username)).status).toBe(200)
  return client
}

/** Registration options, for a new account or for the account the client is signed in to. */
export async function registrationOptions(client: Client, username?: string) {
  const answer = await client.post('/api/auth/register/options', username === undefined ? {} : { username })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as PublicKeyCredentialCreationOptionsJSON
}

export async function authenticationOptions(client: Client, username?: string) {
  const answer = await client.post('/api/auth/login/options', username === undefined ? undefined : { username })
  expect(answer.status, answer.text).toBe(200)
  return answer.body as PublicKeyCredentialRequestOptionsJSON
}

/** A registration ceremony: creates an account with this username, or adds a passkey to the client's account. */
export async function register(
  client: Client,
  authenticator: Authenticator,
  username?: string,
  tampering?: Tampering,
  algorithm?: Algorithm,
) {
  const options = await registrationOptions(client, username)
  return client.post('/api/auth/register/verify', authenticator.create(options, tampering, algorithm))
}

/** An authentication ceremony with the authenticator's newest passkey. */
export async function authenticate(
  client: Client,
  authenticator: Authenticator,
  username?: string,
  tampering?: Tampering,
) {
  const options = await authenticationOptions(client, username)
  return client.post('/api/auth/login/verify', authenticator.get(options, tampering))
}

/** Creates an account with a passkey and no password, and signs the client in. */
export const signUpWithPasskey = (
  client: Client,
  authenticator: Authenticator,
  tampering?: Tampering,
  algorithm?: Algorithm,
) => createPasskeyAccount(client, randomName(), authenticator, tampering, algorithm)

/** Creates an account and signs the client in, where it makes no difference how: by a passkey, which costs no hash. */
export const createAccount = (client: Client, username = randomName()) =>
  createPasskeyAccount(client, username, new Authenticator(client.server.origin))

async function createPasskeyAccount(
  client: Client,
  username: string,
  authenticator: Authenticator,
  tampering?: Tampering,
  algorithm?: Algorithm,
) {
  const answer = await register(client, authenticator, username, tampering, algorithm)
  expect(answer.status, answer.text).toBe(201)
  return { username, ...opened(answer) }
}

/** Creates recovery codes for the client's account. */
export async function createRecoveryCodes(client: Client): Promise<string[]> {
  const answer = await client.post('/api/i/recovery-codes')
  expect(answer.status, answer.text).toBe(201)
  return answer.body.codes
}

/** Changes the username of the client's account. */
export const changeUsername = (client: Client, username: unknown): Promise<Answer> =>
  client.post('/api/i/username', { username })

/** Changes the display name of the client's account. */
export const changeDisplayName = (client: Client, displayName: unknown): Promise<Answer> =>
  client.post('/api/i/name', { displayName })

/** Sets or changes the password of the client's account. */
export const changePassword = (client: Client, password: string, currentPassword?: string): Promise<Answer> =>
  client.post('/api/i/password', { password, currentPassword })

export function signInWithRecoveryCode(client: Client, username: string, code = ''): Promise<Answer> {
  return client.post('/api/signin/recovery', { username, code })
}
