import type { AuthenticationResponseJSON } from '@simplewebauthn/browser'
import type { PostResult } from '@/lib/api/endpoints'
import type { AuthenticationOptions, RegistrationOptions } from '@/lib/api/schemas'
import { ApiClientError, isCode } from '../failures/errors'
import { PromptError } from '../failures/outcomes'
import { fetchAccount, post, requireSessionCookie } from '../requests/post'
import { forgetCrossDevice, rememberCrossDevice } from '../state/storage'
import { canStoreWithoutSecurityKey } from './capabilities'
import { createPasskey, getPasskey } from './credentials'
import { duringPrompt } from './prompt'
import { signalUnknown } from './signals'

/** The options that the browser got, and the passkey's response. */
export interface CeremonyResult {
  options: AuthenticationOptions
  response: AuthenticationResponseJSON
}

/** Authenticates with a passkey by the browser's prompt (WebAuthn Level 3, section 7.2). @returns the server's result */
export async function authenticate(optionsJSON: AuthenticationOptions) {
  const response = await duringPrompt(() => getPasskey(optionsJSON), { late: 'closed' })
  return verifyAuthentication({ options: optionsJSON, response })
}

/** Makes the server verify a response, and checks that the browser has kept the session. @returns the server's result */
export async function verifyAuthentication({
  options,
  response,
}: CeremonyResult): Promise<PostResult<'/api/auth/login/verify'>> {
  const signedIn = await post('/api/auth/login/verify', response).catch((error: unknown) => {
    // Options list passkeys only for a signed-in account, whose pages signal the complete list.
    const hasSession = options.allowCredentials?.length
    if (isCode(error, 'unknown_passkey') && !hasSession)
      signalUnknown({ rpId: options.rpId, credentialId: response.id })
    throw error
  })
  if (response.authenticatorAttachment === 'cross-platform') rememberCrossDevice(response.id)
  else forgetCrossDevice()
  await requireSessionCookie()
  return signedIn
}

/**
 * Kinds of passkeys to create: for a new account, on this device only (`promotion`), by conditional create (`automatic`), or to
 * sign in with at once (`signIn`).
 */
interface Registration {
  username?: string
  invitation?: string | undefined
  promotion?: boolean
  signIn?: boolean
  automatic?: boolean
}

/**
 * Creates a passkey and registers it (WebAuthn Level 3, section 7.1).
 *
 * @param signal aborts between the steps; WebAuthnAbortService aborts the browser's own step
 * @param onCreated runs after the passkey's creation and before its registration
 * @returns the passkey's id
 */
export async function register(body: Registration, signal?: AbortSignal, onCreated?: () => void): Promise<string> {
  const optionsJSON = await post('/api/auth/register/options', body)
  signal?.throwIfAborted()
  const response = body.automatic ? await createPasskey(optionsJSON, 'conditional') : await createInPrompt(optionsJSON)
  onCreated?.()
  try {
    await post('/api/auth/register/verify', response)
    return response.id
  } catch (error) {
    const registered = await isRegistered(response.id, error, body)
    if (registered) return response.id
    if (registered === false) signalUnknown({ rpId: optionsJSON.rp.id, credentialId: response.id })
    throw error
  }
}

/** Creates a passkey. If it fails where only a security key could store it, says so: the key may lack a PIN, or space. */
export async function createInPrompt(optionsJSON: RegistrationOptions) {
  return duringPrompt(() => createPasskey(optionsJSON), { late: 'not_created' }).catch(async (error: unknown) => {
    const triedKey =
      error instanceof PromptError && error.end === 'not_created' && !(await canStoreWithoutSecurityKey())
    throw triedKey ? new PromptError('key_not_used', error.cause) : error
  })
}

/**
 * Finds out if the server has a passkey that it did not confirm: the response may have been lost, or the browser may have
 * repeated the request and got a rejection. Undefined if it cannot tell yet.
 */
async function isRegistered(
  credentialId: string,
  error: unknown,
  { username, invitation }: Registration,
): Promise<boolean | undefined> {
  if (isCode(error, 'passkey_taken')) return undefined
  const account = await fetchAccount().catch((reason: unknown) => (isCode(reason, 'not_signed_in') ? null : undefined))
  if (account?.passkeys.some(({ id }) => id === credentialId)) return true
  // The write may still be in progress; the next signed-in page signals the complete list.
  if (account === undefined || !isDefiniteRejection(error)) return undefined
  const rolledBack = isCode(error, 'username_taken') || isCode(error, 'sign_up_closed')
  const mayBeCreated = account === null && username !== undefined && !rolledBack
  // Without the new account's session, only its username tells: while that is free, the server has no passkey.
  return mayBeCreated && !(await isFree({ username, invitation })) ? undefined : false
}

const isFree = (account: Registration): Promise<boolean> =>
  post('/api/auth/register/options', account).then(
    () => true,
    () => false,
  )

/** False for a response without one of our codes, or with a 5xx: the server may have written all the same. */
export function isDefiniteRejection(error: unknown): boolean {
  if (!(error instanceof ApiClientError) || error.code === 'internal_error') return false
  const { status } = error.details
  return status !== undefined && status < 500
}
