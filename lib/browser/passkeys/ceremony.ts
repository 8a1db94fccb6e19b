import {
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { fetchAccount } from '../account'
import { ApiClientError, isCode } from '../errors'
import { post } from '../post'
import { requireSessionCookie } from '../run-action'
import { signalUnknown } from '../signals'
import { forgetCrossDevice, rememberCrossDevice } from './cross-device'

/** Answers a sign-in challenge with a passkey (WebAuthn level 3, section 7.2) and confirms the session. */
export async function authenticate(
  optionsJSON: PublicKeyCredentialRequestOptionsJSON,
  onPicked?: () => void,
): Promise<void> {
  const answer = await startAuthentication({ optionsJSON, useBrowserAutofill: onPicked !== undefined })
  onPicked?.()
  try {
    await post('/api/auth/login/verify', answer)
  } catch (error) {
    // A list of passkeys comes with a session alone: then the signed-in pages tell the whole truth to the password manager.
    const signedIn = optionsJSON.allowCredentials?.length
    if (isCode(error, 'unknown_passkey') && !signedIn) signalUnknown(optionsJSON.rpId, answer.id)
    throw error
  }
  if (answer.authenticatorAttachment === 'cross-platform') rememberCrossDevice(answer.id)
  else forgetCrossDevice()
  await requireSessionCookie()
}

/** What kind of passkey is asked for: for a new account of that name, on this device, or without asking anybody (conditional create). */
export interface Registration {
  username?: string
  promotion?: boolean
  automatic?: boolean
}

/**
 * Makes a passkey and has the server keep it (WebAuthn level 3, section 7.1).
 * @param signal calls it off between the steps; the browser's own step is called off through WebAuthnAbortService
 * @param onMade called between the making and the request that has it kept
 */
export async function register(body: Registration, signal?: AbortSignal, onMade?: () => void): Promise<void> {
  const optionsJSON = await post('/api/auth/register/options', body)
  signal?.throwIfAborted()
  const answer = await startRegistration({ optionsJSON, useAutoRegister: body.automatic === true })
  onMade?.()
  try {
    await post('/api/auth/register/verify', answer)
  } catch (error) {
    const kept = await isKept(answer.id, error, body)
    if (kept) return
    if (kept === false) signalUnknown(optionsJSON.rp.id, answer.id)
    throw error
  }
}

/**
 * Whether the server has a passkey that it did not confirm: it may have kept it and only the answer was lost, or a browser that
 * sends again what it thinks was lost got its second request refused. Undefined: nobody can tell, or not yet.
 */
async function isKept(credentialId: string, error: unknown, { username }: Registration): Promise<boolean | undefined> {
  if (isCode(error, 'passkey_taken')) return undefined
  const account = await fetchAccount().catch((reason: unknown) => (isCode(reason, 'not_signed_in') ? null : undefined))
  if (account?.passkeys.some(({ id }) => id === credentialId)) return true
  // A write may still be under way: the next page that lists the account's passkeys tells the password manager.
  if (account === undefined || !isDefiniteRejection(error)) return undefined
  const mayBeMade = account === null && username !== undefined && !isCode(error, 'username_taken')
  return mayBeMade ? isUnlessMade(username) : false
}

/** Of a new account whose session was lost with the answer only its name is to be seen: while it is free, no passkey was kept. */
async function isUnlessMade(username: string): Promise<false | undefined> {
  return post('/api/auth/register/options', { username }).then(
    () => false as const,
    () => undefined,
  )
}

/** A definite no. What carries no code of ours, or came with a 5xx, may have happened all the same. */
function isDefiniteRejection(error: unknown): boolean {
  if (!(error instanceof ApiClientError) || error.code === 'internal_error') return false
  const { status } = error.details
  return status !== undefined && status < 500
}
