import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { CDPSession, Page } from 'playwright/test'

export type Credential = {
  credentialId: string
  isResidentCredential: boolean
  rpId?: string
  privateKey: string
  userHandle?: string
  signCount: number
}

export type AuthenticatorOptions = {
  /** Whether the person passes the fingerprint check. */
  verified?: boolean
  /** How it is reached: part of this device unless told otherwise. */
  transport?: 'internal' | 'usb' | 'nfc' | 'ble'
  /** What it holds from the start, such as what another tab's authenticator held. */
  credentials?: Credential[]
}

/** A platform authenticator inside Chromium, for one tab, that answers without asking anybody (DevTools protocol, domain WebAuthn). */
export class VirtualAuthenticator {
  readonly session: CDPSession
  readonly id: string

  private constructor(session: CDPSession, id: string) {
    this.session = session
    this.id = id
  }

  /** Attached before a sign-in page loads, one with a passkey answers the autofill offer; attached later, only a button. */
  static async attach(
    page: Page,
    { verified = true, transport = 'internal', credentials = [] }: AuthenticatorOptions = {},
  ) {
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport,
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: verified,
        automaticPresenceSimulation: true,
      },
    })
    const authenticator = new VirtualAuthenticator(session, authenticatorId)
    for (const credential of credentials) await authenticator.add(credential)
    return authenticator
  }

  async credentials(): Promise<Credential[]> {
    return (await this.session.send('WebAuthn.getCredentials', { authenticatorId: this.id })).credentials
  }

  async add(credential: Credential) {
    await this.session.send('WebAuthn.addCredential', { authenticatorId: this.id, credential })
  }

  async clear() {
    await this.session.send('WebAuthn.clearCredentials', { authenticatorId: this.id })
  }

  async setVerified(isUserVerified: boolean) {
    await this.session.send('WebAuthn.setUserVerified', { authenticatorId: this.id, isUserVerified })
  }
}

/** A passkey for this relying party that no server ever heard of. */
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
