import { EventEmitter, once } from 'node:events'
import type { CDPSession } from 'playwright/test'

/** A passkey in the DevTools protocol; binary values are in base64. */
export type Credential = {
  credentialId: string
  isResidentCredential: boolean
  rpId?: string
  privateKey: string
  userHandle?: string
  signCount: number
  backupEligibility?: boolean
  backupState?: boolean
  userName?: string
  userDisplayName?: string
}

export type PasskeyEvent = {
  /** Created; used to sign in; renamed by a signal of the page; deleted by a signal of the page. */
  type: 'added' | 'asserted' | 'updated' | 'deleted'
  /** In base64url, like `PublicKeyCredential.id`. */
  id: string
  /** The passkey at that time; a deleted one has only its id. */
  credential?: Credential
}

/** The events of one authenticator, in order. Deletions by the test itself (`deleteOnDevice`) are not reported. */
export class PasskeyEvents {
  readonly seen: PasskeyEvent[] = []
  private readonly given = new Set<PasskeyEvent>()
  private readonly ownDeletions = new Set<string>()
  private readonly news = new EventEmitter()

  constructor(session: CDPSession, authenticatorId: string) {
    const record = (event: PasskeyEvent, from: { authenticatorId: string }) => {
      if (from.authenticatorId !== authenticatorId) return
      if (event.type === 'deleted' && this.ownDeletions.has(event.id)) return
      this.seen.push(event)
      this.news.emit('event')
    }
    const withCredential =
      (type: PasskeyEvent['type']) => (from: { authenticatorId: string; credential: Credential }) =>
        record({ type, id: idOf(from.credential), credential: from.credential }, from)
    session.on('WebAuthn.credentialAdded', withCredential('added'))
    session.on('WebAuthn.credentialAsserted', withCredential('asserted'))
    session.on('WebAuthn.credentialUpdated', withCredential('updated'))
    session.on('WebAuthn.credentialDeleted', (from) => record({ type: 'deleted', id: idOf(from) }, from))
  }

  /**
   * Returns the next event of a type, even one that came before the call; each event is returned once.
   * @param timeout in ms
   */
  async waitFor(type: PasskeyEvent['type'], timeout = 30_000): Promise<PasskeyEvent> {
    const signal = AbortSignal.timeout(timeout)
    for (;;) {
      const event = this.seen.find((candidate) => candidate.type === type && !this.given.has(candidate))
      if (event) {
        this.given.add(event)
        return event
      }
      await once(this.news, 'event', { signal }).catch(() => {
        const seen = this.seen.map((other) => other.type).join(', ') || 'nothing'
        throw new Error(`Within ${timeout} ms no further passkey was ${type}; seen: ${seen}`)
      })
    }
  }

  /** Runs a command that deletes a passkey without recording the event, which Chromium sends before the command resolves. */
  async unrecorded(id: string, command: () => Promise<unknown>) {
    this.ownDeletions.add(id)
    await command()
    this.ownDeletions.delete(id)
  }
}

/** A passkey's id in base64url, as pages and servers write it; the DevTools protocol uses base64. */
export function idOf({ credentialId }: { credentialId: string }): string {
  return Buffer.from(credentialId, 'base64').toString('base64url')
}
