import {
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { explain, type Outcome, Refusal, type Wording } from '@/lib/failure'

export interface Passkey {
  id: string
  name: string
  provider: string | null
  createdAt: string
  lastUsedAt: string | null
  backedUp: boolean
  deviceType: 'singleDevice' | 'multiDevice'
  transports: string[]
}

/** The answer of POST /api/i. */
export interface Account {
  id: string
  username: string
  createdAt: string
  hasPassword: boolean
  passkeys: Passkey[]
  session: { expiresAt: string; methods: string[] }
  rpId: string
  userHandle: string
}

/** What a page knows of where it runs: passkeys work at `origins` alone. */
export interface Site {
  appName: string
  origins: string[]
  originConfigured: boolean
}

/** Makes an account with a password and signs in to it. */
export function signUp(username: string, password: string): Promise<Outcome> {
  const action = async () => {
    await post('/api/signup', { username: username.trim(), password })
    await confirmSession()
  }
  return attempt(action, { hasFields: true })
}

/** Signs in with a password, which goes as typed: only the username is trimmed. */
export function signIn(username: string, password: string): Promise<Outcome> {
  const action = async () => {
    await post('/api/signin', { username: username.trim(), password })
    await confirmSession()
  }
  return attempt(action, { hasFields: true, denied: 'Check the username and the password.' })
}

/** Ends the session, also when there is none. */
export function signOut(): Promise<Outcome> {
  return attempt(() => post('/api/signout'), { title: 'You are still signed in' })
}

/** Makes an account whose way in is a passkey, and signs in to it. */
export function signUpWithPasskey(username: string): Promise<Outcome> {
  const action = async () => {
    await register({ username: username.trim() })
    await confirmSession()
  }
  return attempt(action, { hasFields: true })
}

/** Adds a passkey to the signed-in account. */
export function addPasskey(): Promise<Outcome> {
  const action = async () => {
    // Without a session the same request would mean a new account, and be refused for reasons that nobody here could act on.
    await post('/api/i')
    await register({})
  }
  return attempt(action, { title: 'The passkey was not added' })
}

/** Signs in with a passkey that the person picks in the browser's own dialog. */
export function signInWithPasskey(): Promise<Outcome> {
  return attempt(async () => authenticate(await post('/api/auth/login/options')))
}

/** Tells whether the browser offers passkeys among what it fills in. */
export const canAutofillPasskeys = browserSupportsWebAuthnAutofill

/**
 * Offers passkeys where the browser fills in a username, and signs in when one is picked (WebAuthn level 3, section 5.1.4, conditional mediation).
 * @param signal takes the offer back; without effect once a passkey is picked
 * @param onPicked called between the pick and the request that signs in
 */
export function offerPasskeys(signal: AbortSignal, onPicked: () => void): Promise<Outcome> {
  return attempt(async () => {
    const options = await post<PublicKeyCredentialRequestOptionsJSON>('/api/auth/login/options')
    signal.throwIfAborted()
    signal.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony(), { once: true })
    await authenticate(options, onPicked)
  })
}

async function authenticate(optionsJSON: PublicKeyCredentialRequestOptionsJSON, onPicked?: () => void): Promise<void> {
  const answer = await startAuthentication({ optionsJSON, useBrowserAutofill: onPicked !== undefined })
  onPicked?.()
  try {
    await post('/api/auth/login/verify', answer)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unknown_passkey') forget(optionsJSON.rpId, answer.id)
    throw error
  }
  await confirmSession()
}

async function register(body: { username?: string }): Promise<void> {
  const optionsJSON = await post<PublicKeyCredentialCreationOptionsJSON>('/api/auth/register/options', body)
  await post('/api/auth/register/verify', await startRegistration({ optionsJSON }))
}

/** Tells the password manager that this passkey is no more (WebAuthn level 3, section 5.1.10); it may not listen, and nothing depends on it. */
function forget(rpId: string | undefined, credentialId: string): void {
  const signals = PublicKeyCredential as { signalUnknownCredential?: (about: object) => Promise<void> }
  signals.signalUnknownCredential?.({ rpId, credentialId }).catch(() => undefined)
}

/** A browser that refuses the cookie would be sent back to sign in without a word, so ask once whether the session stuck. */
async function confirmSession(): Promise<void> {
  try {
    await post('/api/i')
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_signed_in') throw new Refusal('session_lost', error.about)
  }
}

/** Runs an action to its end and never rejects, so that no caller can forget to catch. */
async function attempt(action: () => Promise<unknown>, wording: Wording = {}): Promise<Outcome> {
  try {
    await action()
    return 'done'
  } catch (thrown) {
    return explain(thrown, wording)
  }
}

async function post<T>(path: string, body: object = {}): Promise<T> {
  const headers = { 'Content-Type': 'application/json' }
  const init: RequestInit = {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    credentials: 'same-origin',
    cache: 'no-store',
  }
  const response = await fetch(path, init).catch(() => {
    throw new Refusal(navigator.onLine ? 'unreachable' : 'offline')
  })
  // A proxy in between may answer with a page of its own: what is no JSON has no code, and is then worded as our fault.
  const answer = await response.json().catch(() => ({}))
  if (response.ok) return answer
  throw new Refusal(answer.code ?? 'internal_error', { ...answer, skew: clockSkew(response) })
}

function clockSkew(response: Response): number {
  const theirs = Date.parse(response.headers.get('Date') ?? '')
  return Number.isNaN(theirs) ? 0 : Date.now() - theirs
}
