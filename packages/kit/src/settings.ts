/** What `latchkey()` takes; each field stands for an environment variable, read at the first request, unless it is given here. */
export interface Options {
  /** `LATCHKEY_ISSUER`: the provider's address */
  issuer?: string
  /** `LATCHKEY_CLIENT_ID` */
  clientId?: string
  /** `LATCHKEY_CLIENT_SECRET` */
  clientSecret?: string
  /** `LATCHKEY_SESSION_SECRET`: encrypts this app's cookies; at least 32 characters */
  sessionSecret?: string
  /** `LATCHKEY_APP_URL`: this app's origin, which may be left out on localhost */
  appUrl?: string
  /**
   * The scopes that the app asks for, "openid profile email groups" unless given; those that the provider does not have are left
   * out
   */
  scope?: string
  /** How long a session lasts before it goes through the provider again; 12 */
  sessionHours?: number
  /** Asks for `offline_access`, so that a session in use is renewed: groups and names stay fresh, and a disabled account is out */
  offline?: boolean
  /** Where ended sessions are kept, so that a sign-out at the provider reaches this app (back-channel logout) */
  store?: Store
}

/** A key-value store that all processes of the app share, such as Redis. A key may be forgotten after that many seconds. */
export interface Store {
  get(key: string): Promise<string | null | undefined>
  set(key: string, value: string, seconds: number): Promise<unknown>
}

export interface Settings {
  issuer: URL
  clientId: string
  clientSecret: string
  sessionSecret: string
  /** The app's origin, or null where each request's loopback Host says it */
  appUrl: string | null
  scope: string
  sessionSeconds: number
  offline: boolean
  store: Store | null
}

/** Sentences for the developer, each with what mends it. People in production never see them. */
export class SetupError extends Error {
  override name = 'SetupError'
  readonly sentences: readonly string[]
  constructor(...sentences: string[]) {
    super(sentences.join(' '))
    this.sentences = sentences
  }
}

const loopback = /^(?:(?:[a-z\d-]+\.)*localhost|127\.0\.0\.1|\[::1\])$/i

/** Whether a host name leads to this device (RFC 6761 section 6.3). */
export const isLoopback = (hostname: string) => loopback.test(hostname)

/** The operators' command of the Latchkey at this address, as its documents write it. */
export const accountsCommand = (issuer: URL) =>
  isLoopback(issuer.hostname) ? 'npx latchkey dev accounts' : 'npm run accounts --'

const init = 'Run: npx latchkey-kit init'

/** @throws SetupError with one sentence for each setting that is missing or wrong */
export function readSettings(options: Options): Settings {
  const read = (name: string, option: string | undefined) => option || environment(name) || ''
  const issuerText = read('LATCHKEY_ISSUER', options.issuer)
  const clientId = read('LATCHKEY_CLIENT_ID', options.clientId)
  const clientSecret = read('LATCHKEY_CLIENT_SECRET', options.clientSecret)
  const sessionSecret = read('LATCHKEY_SESSION_SECRET', options.sessionSecret)
  const appUrlText = read('LATCHKEY_APP_URL', options.appUrl)
  const sessionHours = options.sessionHours ?? 12

  const issuer = URL.canParse(issuerText) ? new URL(issuerText) : null
  const appUrl = URL.canParse(appUrlText) ? new URL(appUrlText) : null
  const faults: (string | null)[] = [
    issuerFault(issuerText, issuer),
    clientId ? null : `LATCHKEY_CLIENT_ID is not set. ${init}`,
    clientSecret
      ? null
      : `LATCHKEY_CLIENT_SECRET is not set. ${clientId && issuer ? `Run where Latchkey is, and set it to what this prints: ${accountsCommand(issuer)} app new-secret ${clientId}` : init}`,
    sessionSecret.length >= 32
      ? null
      : `LATCHKEY_SESSION_SECRET ${sessionSecret ? 'is shorter than 32 characters' : 'is not set'}. Set it to what this prints: openssl rand -base64 32`,
    appUrlText ? appUrlFault(appUrlText, appUrl) : null,
    sessionHours > 0 ? null : `sessionHours is ${sessionHours}. Set it to a number above 0, such as 12.`,
  ]
  const sentences = faults.filter((fault) => fault !== null)
  if (sentences.length > 0 || !issuer) throw new SetupError(...sentences)
  return {
    issuer,
    clientId,
    clientSecret,
    sessionSecret,
    appUrl: appUrl?.origin ?? null,
    scope: options.scope ?? 'openid profile email groups',
    sessionSeconds: Math.round(sessionHours * 3600),
    offline: options.offline ?? false,
    store: options.store ?? null,
  }
}

function issuerFault(text: string, issuer: URL | null): string | null {
  if (!text) return `LATCHKEY_ISSUER is not set. ${init}`
  if (!issuer || !/^https?:$/.test(issuer.protocol))
    return `LATCHKEY_ISSUER is "${text}", which is no address. Set it to Latchkey's, such as LATCHKEY_ISSUER=http://localhost:3001`
  // Over plain http, anybody on the way could answer as the provider.
  if (issuer.protocol === 'http:' && !isLoopback(issuer.hostname))
    return `LATCHKEY_ISSUER is ${text}, but http is for localhost only. Set LATCHKEY_ISSUER=https://${issuer.host}`
  return null
}

function appUrlFault(text: string, url: URL | null): string | null {
  const isOrigin = url && /^https?:$/.test(url.protocol) && text.replace(/\/$/, '').toLowerCase() === url.origin
  if (!isOrigin)
    return `LATCHKEY_APP_URL is "${text}", which is no origin. Set it to this app's, without a path, such as LATCHKEY_APP_URL=https://app.example.com`
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return `LATCHKEY_APP_URL is ${text}, but http is for localhost only. Set LATCHKEY_APP_URL=https://${url.host}`
  return null
}

/**
 * The app's origin for this request. Headers that a proxy may add, such as X-Forwarded-Host, are never read: anybody can send
 * them, and the answer to a sign-in goes where this leads.
 */
export function originOf(request: Request, { appUrl, clientId, issuer }: Settings): string {
  if (appUrl) return appUrl
  const host = request.headers.get('host') ?? new URL(request.url).host
  const [, hostname = ''] = /^([a-z\d.-]+|\[[\da-f:]+\])(?::\d{1,5})?$/i.exec(host) ?? []
  if (isLoopback(hostname)) return new URL(`http://${host}`).origin
  throw new SetupError(
    `LATCHKEY_APP_URL is not set, and only on localhost is it not needed. Set it to this app's address, such as LATCHKEY_APP_URL=https://app.example.com, and register that: ${accountsCommand(issuer)} app change ${clientId} --redirect-uri https://app.example.com/auth/callback`,
  )
}

/** There is no `process` where an app runs on other engines than Node. */
function environment(name: string): string | undefined {
  return typeof process === 'undefined' ? undefined : process.env[name]
}

/** Whether pages may say to whoever opens them what is wrong with the app. */
export const inDevelopment = () => typeof process !== 'undefined' && process.env.NODE_ENV !== 'production'
