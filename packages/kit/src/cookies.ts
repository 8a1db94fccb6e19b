import { EncryptJWT, type JWTPayload, jwtDecrypt } from 'jose'
import type { Settings } from './settings.js'

/** Browsers keep no cookie whose name and value have more bytes (RFC 6265 section 6.1). */
export const mostBytes = 4096

/** What a cookie is for. Each has a key of its own, so that none can be sent in another's place. */
type Purpose = 'session' | 'sign-in' | 'id-token'

/** The cookies of one app at one origin: their names, and what encrypts them. */
export class Cookies {
  readonly #keys = new Map<Purpose, Promise<Uint8Array>>()
  readonly #settings: Settings
  readonly #secure: boolean
  readonly #digest: Promise<string>

  constructor(settings: Settings, origin: string) {
    this.#settings = settings
    this.#secure = origin.startsWith('https:')
    this.#digest = sha256(this.#audience).then((bytes) => hex(bytes).slice(0, 8))
  }

  /** Two apps on localhost share cookies, whatever their ports. */
  get #audience() {
    return `${this.#settings.issuer.href} ${this.#settings.clientId}`
  }

  /**
   * `__Host-`: a sibling of the app's domain cannot plant one, and so sign a person in as somebody else (RFC 6265bis section
   * 4.1.3).
   */
  async name(suffix = '') {
    return `${this.#secure ? '__Host-' : ''}latchkey-app-${await this.#digest}${suffix}`
  }

  /** The ID token's cookie is sent to `/auth` alone, for which `__Host-` is impossible. */
  async idTokenName() {
    return `${this.#secure ? '__Secure-' : ''}latchkey-app-${await this.#digest}-id`
  }

  async seal(purpose: Purpose, payload: JWTPayload, seconds: number): Promise<string> {
    return new EncryptJWT(payload)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
      .encrypt(await this.#key(purpose))
  }

  /** What the request's cookie of that name holds, or null: one that does not decrypt, or has expired, is none. */
  async open(purpose: Purpose, request: Request, name: string): Promise<JWTPayload | null> {
    const value = cookiesOf(request).get(name)
    if (!value) return null
    const algorithms = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }
    const key = await this.#key(purpose)
    const opened = await jwtDecrypt(value, key, { ...algorithms, requiredClaims: ['exp'], clockTolerance: 0 }).catch(
      () => null,
    )
    return opened?.payload ?? null
  }

  header(name: string, value: string, seconds: number, path = '/'): string {
    const secure = this.#secure ? '; Secure' : ''
    return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
  }

  expire(name: string, path = '/'): string {
    return this.header(name, '', 0, path)
  }

  #key(purpose: Purpose): Promise<Uint8Array> {
    const key = this.#keys.get(purpose) ?? deriveKey(this.#settings.sessionSecret, `${purpose} ${this.#audience}`)
    this.#keys.set(purpose, key)
    return key
  }
}

/** The request's cookies by name; of two with one name, the first, whose path is the longer. */
export function cookiesOf(request: Request): Map<string, string> {
  const found = new Map<string, string>()
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    if (at > 0 && !found.has(name)) found.set(name, pair.slice(at + 1).trim())
  }
  return found
}

async function deriveKey(secret: string, info: string): Promise<Uint8Array> {
  const encoder = new TextEncoder()
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveBits'])
  const parameters = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(),
    info: encoder.encode(`latchkey-kit ${info}`),
  }
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, material, 256))
}

const sha256 = async (text: string) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
