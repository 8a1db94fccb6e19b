import type { AuthenticationResponseJSON } from '@simplewebauthn/browser'
import type { PostResult } from '@/lib/api/endpoints'
import type { AuthenticationOptions, RegistrationOptions } from '@/lib/api/schemas'
import { ApiClientError, isCode } from '../failures/errors'
import { PromptError } from '../failures/outcomes'
import { fetchAccount, requireSessionCookie } from '../requests/fetch-account'
import { post } from '../requests/post'
import { canStoreWithoutSecurityKey } from './capabilities'
import { createPasskey, getPasskey } from './credentials'
import { duringPrompt } from './prompt'
import { signalUnknown } from './signals'
import { forgetCrossDevice, rememberCrossDevice } from './support'

/** The options that the browser was given, and the passkey's response. */
export interface CeremonyResult {
  options: AuthenticationOptions
  response: AuthenticationResponseJSON
}

/** Authenticates with a passkey by the browser's prompt (WebAuthn Level 3, section 7.2). @returns the server's result */
export async function authenticate(optionsJSON: AuthenticationOptions) {
  const response = await duringPrompt(() => getPasskey(optionsJSON), { late: 'closed' })
  return verifyAuthentication({ options: optionsJSON, response })
}

/** Has the server verify a response, and checks that the session was kept. @returns the server's result */
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

/** What kind of passkey to create: for a new account, on this device only (`promotion`), or by conditional create (`automatic`). */
interface Registration {
  username?: string
  invitation?: string | undefined
  promotion?: boolean
  automatic?: boolean
}

/**
 * Creates a passkey and registers it (WebAuthn Level 3, section 7.1).
 *
 * @param signal aborts between the steps; WebAuthnAbortService aborts the browser's own step
 * @param onCreated called before the passkey is registered
 * @returns the passkey's id
 */
export async function register(body: Registration, signal?: AbortSignal, onCreated?: () => void): Promise<string> {
  const optionsJSON = await post('/api/auth/register/options', body)
  signal?.throwIfAborted()
  const response = body.automatic ? await createPasskey(optionsJSON, 'conditional') : await create(optionsJSON)
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

/** Where only a security key could store the passkey, one was tried: its PIN or its space may be what is missing. */
async function create(optionsJSON: RegistrationOptions) {
  return duringPrompt(() => createPasskey(optionsJSON), { late: 'not_created' }).catch(async (error: unknown) => {
    const triedKey =
      error instanceof PromptError && error.end === 'not_created' && !(await canStoreWithoutSecurityKey())
    throw triedKey ? new PromptError('key_not_used', error.cause) : error
  })
}

/**
 * Whether the server has a passkey that it did not confirm: only the response may have been lost, or the browser repeated
 * the request and the repetition was rejected. Undefined if that can't be known yet.
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
  // Without its session, a new account can only be seen by its username: while that is free, no passkey was registered.
  return mayBeCreated && !(await isFree({ username, invitation })) ? undefined : false
}

const isFree = (account: Registration): Promise<boolean> =>
  post('/api/auth/register/options', account).then(
    () => true,
    () => false,
  )

/** A response without one of our codes, or with a 5xx, does not mean that nothing was written. */
function isDefiniteRejection(error: unknown): boolean {
  if (!(error instanceof ApiClientError) || error.code === 'internal_error') return false
  const { status } = error.details
  return status !== undefined && status < 500
}
