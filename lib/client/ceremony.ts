import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { confirmSession } from './attempt'
import { Refusal } from './failure'
import { post } from './post'
import { signalUnknown } from './signals'

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
    if (error instanceof Refusal && error.code === 'unknown_passkey') signalUnknown(optionsJSON.rpId, answer.id)
    throw error
  }
  await confirmSession()
}

/** Makes a passkey and has the server keep it (WebAuthn level 3, section 7.1). */
export async function register(body: { username?: string }): Promise<void> {
  const optionsJSON = await post<PublicKeyCredentialCreationOptionsJSON>('/api/auth/register/options', body)
  await post('/api/auth/register/verify', await startRegistration({ optionsJSON }))
}
