import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { CDPSession, Page } from 'playwright/test'
import { type Credential, idOf, PasskeyEvents } from './passkey-events'

export type AuthenticatorOptions = {
  /** `platform`: this device; `security-key`: a USB key; `phone`: another device (hybrid transport). */
  kind?: keyof typeof transports
  /** Whether user verification succeeds. */
  verified?: boolean
  /** Whether new passkeys stay on the device, may be synced, or are synced. */
  backup?: 'none' | 'eligible' | 'synced'
  /** Credentials it holds from the start, such as those of another tab. */
  credentials?: Credential[]
}

const transports = { platform: 'internal', 'security-key': 'usb', phone: 'cable' } as const

/** An authenticator inside Chromium, for one tab, that answers without a prompt (DevTools protocol, domain WebAuthn). */
export class VirtualAuthenticator {
  readonly session: CDPSession
  readonly id: string
  /** What happened to its passkeys, signals of the page included (Signal API). */
  readonly events: PasskeyEvents
  private verified: boolean

  private constructor(session: CDPSession, id: string, verified: boolean) {
    this.session = session
    this.id = id
    this.verified = verified
    this.events = new PasskeyEvents(session, id)
  }

  /** Attach before a sign-in page loads: an authenticator attached later does not answer autofill, only a button. */
  static async attach(page: Page, options: AuthenticatorOptions = {}) {
    const { kind = 'platform', verified = true, backup = 'none', credentials = [] } = options
    if (kind === 'phone') await page.addInitScript(reachPhones)
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: transports[kind],
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: verified,
        automaticPresenceSimulation: true,
        defaultBackupEligibility: backup !== 'none',
        defaultBackupState: backup === 'synced',
      },
    })
    const authenticator = new VirtualAuthenticator(session, authenticatorId, verified)
    for (const credential of credentials) await authenticator.add(credential)
    return authenticator
  }

  async credentials(): Promise<Credential[]> {
    return (await this.session.send('WebAuthn.getCredentials', { authenticatorId: this.id })).credentials
  }

  async add(credential: Credential) {
    await this.session.send('WebAuthn.addCredential', { authenticatorId: this.id, credential })
  }

  /** Deletes all its passkeys without the server's knowledge. */
  async deleteOnDevice() {
    for (const credential of await this.credentials()) {
      const { credentialId } = credential
      await this.events.unrecorded(idOf(credential), () =>
        this.session.send('WebAuthn.removeCredential', { authenticatorId: this.id, credentialId }),
      )
    }
  }

  /** Sets properties of all its passkeys, such as `{signCount: 0}` for the counter of a clone. */
  async change(properties: Partial<Pick<Credential, 'signCount' | 'backupEligibility' | 'backupState'>>) {
    for (const { credentialId } of await this.credentials()) {
      const passkey = { authenticatorId: this.id, credentialId }
      await this.session.send('WebAuthn.setCredentialProperties', { ...passkey, ...properties })
    }
  }

  /** Whether user verification succeeds from now on. */
  async setVerified(isUserVerified: boolean) {
    this.verified = isUserVerified
    await this.session.send('WebAuthn.setUserVerified', { authenticatorId: this.id, isUserVerified })
  }

  /** While `action` runs, every prompt ends in NotAllowedError, as when a user closes it. */
  async cancelling<T>(action: () => Promise<T>): Promise<T> {
    const before = this.verified
    await this.setVerified(false)
    try {
      return await action()
    } finally {
      await this.setVerified(before)
    }
  }

  /** Whether prompts opened from now on are answered; otherwise they stay open until the page aborts them or they time out. */
  async setAnswering(enabled: boolean) {
    await this.session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: this.id, enabled })
  }

  /** Corrupts responses from now on: an all-zero signature, or no flag for user verification or presence; no arguments end it. */
  async corrupt({ bogusSignature = false, unverified = false, absent = false } = {}) {
    const bits = { isBogusSignature: bogusSignature, isBadUV: unverified, isBadUP: absent }
    await this.session.send('WebAuthn.setResponseOverrideBits', { authenticatorId: this.id, ...bits })
  }
}

/** Runs in the page: Chromium does not report hybrid transport for a virtual phone. */
function reachPhones() {
  if (!('PublicKeyCredential' in window)) return
  const ask = PublicKeyCredential.getClientCapabilities.bind(PublicKeyCredential)
  PublicKeyCredential.getClientCapabilities = async () => ({ ...(await ask()), hybridTransport: true })
}

/** A passkey for this relying party that no server knows. */
export function strangeCredential(rpId = 'localhost'): Credential {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    credentialId: randomBytes(16).toString('base64'),
    isResidentCredential: true,
    rpId,
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    userHandle: randomBytes(32).toString('base64'),
    signCount: 1,
  }
}
