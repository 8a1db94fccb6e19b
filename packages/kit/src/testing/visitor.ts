import {
  type ClientRequest,
  Agent as HttpAgent,
  request as http,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { Agent as HttpsAgent, request as https } from 'node:https'

/** A cookie, as Playwright's `context.addCookies()` takes it. */
export interface Cookie {
  name: string
  value: string
  /** With a dot before it, for the hosts below it, too */
  domain: string
  path: string
  /** In seconds since 1970; -1 for one that ends with the browser */
  expires: number
  httpOnly: boolean
  secure: boolean
  sameSite: 'Strict' | 'Lax' | 'None'
}

export interface Answer {
  url: URL
  status: number
  headers: IncomingMessage['headers']
  text: string
}

interface Message {
  json?: unknown
  headers?: Record<string, string>
}

/** Node's own fetch says `Sec-Fetch-Mode: cors` of each request, which no navigation is. */
const agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) }

/** A browser without pages: it keeps cookies, and goes where redirects lead. */
export class Visitor {
  readonly #kept: Cookie[] = []

  constructor(cookies: readonly Cookie[] = []) {
    for (const cookie of cookies) this.#keep(cookie)
  }

  get cookies(): Cookie[] {
    return this.#kept.filter((cookie) => !hasExpired(cookie))
  }

  /** The value of the header `Cookie` (RFC 6265 section 5.4); empty where there is none to send. */
  cookieHeader(url: URL): string {
    return this.cookies
      .filter((cookie) => isFor(cookie, url))
      .sort((one, other) => other.path.length - one.path.length)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
  }

  /** Posts JSON, as a page of that origin does. */
  post(url: URL, json: unknown = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#send('POST', url, {
      json,
      headers: { Origin: url.origin, 'Sec-Fetch-Site': 'same-origin', ...headers },
    })
  }

  /** Opens a page; a redirect is an answer. */
  open(url: URL): Promise<Answer> {
    return this.#send('GET', url, {
      headers: {
        Accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
        'Upgrade-Insecure-Requests': '1',
        'Sec-Fetch-Site': 'none',
        'Sec-Fetch-Mode': 'navigate',
        'Sec-Fetch-Dest': 'document',
        'Sec-Fetch-User': '?1',
      },
    })
  }

  async #send(method: string, url: URL, { json, headers }: Message): Promise<Answer> {
    const body = json === undefined ? undefined : JSON.stringify(json)
    const cookie = this.cookieHeader(url)
    const answer = await ask(method, url, body, {
      ...headers,
      'User-Agent': 'latchkey-kit',
      ...(cookie && { Cookie: cookie }),
      ...(body !== undefined && {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(body)),
      }),
    })
    for (const line of answer.headers['set-cookie'] ?? []) {
      const cookie = parseSetCookie(line, url)
      if (cookie) this.#keep(cookie)
    }
    return answer
  }

  #keep(cookie: Cookie) {
    const { name, domain, path } = cookie
    const index = this.#kept.findIndex((other) => other.name === name && other.domain === domain && other.path === path)
    if (index >= 0) this.#kept.splice(index, 1)
    this.#kept.push(cookie)
  }
}

async function ask(method: string, url: URL, body: string | undefined, headers: Record<string, string>) {
  const options: RequestOptions = {
    method,
    headers: { ...headers, Host: url.host },
    agent: url.protocol === 'https:' ? agents['https:'] : agents['http:'],
    // Browsers take every name under localhost for this machine (RFC 6761 section 6.3); resolvers may not know them.
    ...(url.hostname.endsWith('.localhost') && { host: 'localhost', servername: url.hostname }),
    // Without a proxy that hangs up, nothing takes so long.
    timeout: 30_000,
  }
  return once(url, options, body).catch((error: unknown) => {
    // The server has closed an idle connection just when it was used again.
    if (error instanceof ConnectionError && error.reused) return once(url, options, body)
    throw error
  })
}

class ConnectionError extends Error {
  readonly reused: boolean
  constructor(url: URL, request: ClientRequest, cause: Error & { code?: string }) {
    super(`${url.origin} does not answer (${cause.code ?? cause.message}).`, { cause })
    this.reused = request.reusedSocket && cause.code === 'ECONNRESET'
  }
}

function once(url: URL, options: RequestOptions, body: string | undefined) {
  return new Promise<Answer>((done, fail) => {
    const request = (url.protocol === 'https:' ? https : http)(url, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', fail)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        done({ url, status: response.statusCode ?? 0, headers: response.headers, text })
      })
    })
    request.on('timeout', () => request.destroy(new Error('no answer within 30 seconds')))
    request.on('error', (error) => fail(new ConnectionError(url, request, error)))
    request.end(body)
  })
}

const hasExpired = ({ expires }: Cookie) => expires !== -1 && expires * 1000 <= Date.now()

/** Browsers send Secure cookies to localhost without TLS, too. */
const isTrustworthy = ({ protocol, hostname }: URL) => protocol === 'https:' || /(^|\.)localhost$|^127\./.test(hostname)

function isFor({ domain, path, secure }: Cookie, url: URL): boolean {
  const isHost = domain.startsWith('.') ? `.${url.hostname}`.endsWith(domain) : url.hostname === domain
  const isPath = url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
  return isHost && isPath && (!secure || isTrustworthy(url))
}

/** Null for one that its attributes make void (RFC 6265bis section 5.6). */
function parseSetCookie(line: string, url: URL): Cookie | null {
  const [pair = '', ...rest] = line.split(';').map((part) => part.trim())
  const cut = pair.indexOf('=')
  if (cut < 1) return null
  const attributes = new Map(
    rest.map((part) => {
      const [name = '', ...value] = part.split('=')
      return [name.trim().toLowerCase(), value.join('=').trim()]
    }),
  )
  const domain = attributes.get('domain')?.replace(/^\./, '').toLowerCase()
  if (domain && !`.${url.hostname}`.endsWith(`.${domain}`)) return null
  const secure = attributes.has('secure')
  if (secure && !isTrustworthy(url)) return null
  const path = attributes.get('path')
  const sameSite = attributes.get('samesite')?.toLowerCase()
  return {
    name: pair.slice(0, cut).trim(),
    value: pair.slice(cut + 1).trim(),
    domain: domain ? `.${domain}` : url.hostname,
    path: path?.startsWith('/') ? path : defaultPath(url),
    expires: expiry(attributes.get('max-age'), attributes.get('expires')),
    httpOnly: attributes.has('httponly'),
    secure,
    sameSite: sameSite === 'strict' ? 'Strict' : sameSite === 'none' ? 'None' : 'Lax',
  }
}

const defaultPath = ({ pathname }: URL) => pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')))

function expiry(maxAge: string | undefined, expires: string | undefined): number {
  if (maxAge && /^-?\d+$/.test(maxAge)) return Math.max(0, Math.floor(Date.now() / 1000) + Number(maxAge))
  const time = Date.parse(expires ?? '')
  return Number.isNaN(time) ? -1 : Math.max(0, time / 1000)
}
