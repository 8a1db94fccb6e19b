import { type Agent, type IncomingHttpHeaders, request } from 'node:http'
import { request as requestByTls } from 'node:https'
import { expectDocumented } from './contract'
import { withoutUndefined } from './without-undefined'

export type SetCookie = {
  name: string
  value: string
  /** Attribute names in lower case; one without a value is true. */
  attributes: Record<string, string | true>
}

export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test knows the shape that it asserts on.
  body: any
  cookies: SetCookie[]
}

export type ClientOptions = {
  /** Sends the headers that a browser adds to requests of our own pages. */
  page?: boolean
  /** Sent as `Authorization: Bearer`. */
  bearer?: string
  /** A step-up token to begin with. */
  stepUp?: string
  /** Sent with every request; undefined removes one. */
  headers?: Record<string, string | undefined>
  /** Expect responses that lib/api does not document, such as those of a stand-in for the backend. */
  undocumented?: boolean
  /** Keeps connections open; without one, each request has its own. */
  agent?: Agent
}

export type Message = {
  /** An argument of `request()`. */
  method?: never
  headers?: Record<string, string | undefined>
  /** Sent as it is, without a Content-Type, in place of a JSON body. */
  raw?: string | Uint8Array
}

/** An HTTP client with a cookie jar. Without `page` it is no web page: it sends neither Origin nor Sec-Fetch-Site. */
export class Client {
  readonly jar = new Map<string, string>()
  readonly server: { url: string; origin: string }
  /** The newest step-up token, sent as our pages send it. */
  stepUp: string | undefined
  readonly options: ClientOptions

  constructor(server: { url: string; origin: string }, options: ClientOptions = {}) {
    this.server = server
    this.options = options
    this.stepUp = options.stepUp
  }

  get(path: string, message?: Message): Promise<Answer> {
    return this.request('GET', path, message)
  }

  /** Posts JSON, raw bytes or nothing. */
  post(path: string, body?: unknown, message?: Message): Promise<Answer> {
    return this.request('POST', path, { ...message, body })
  }

  /** Sends `body` as JSON, raw bytes or nothing. Rejects when the connection breaks before the response is complete. */
  async request(method: string, path: string, { body, raw, headers }: Message & { body?: unknown } = {}) {
    const isJson = raw === undefined && body !== undefined
    const payload = isJson ? JSON.stringify(body) : raw
    const sent = {
      ...this.standingHeaders(),
      ...(isJson && { 'Content-Type': 'application/json' }),
      ...(payload !== undefined && { 'Content-Length': String(Buffer.byteLength(payload)) }),
      ...this.options.headers,
      ...headers,
    }
    const answer = await send(`${this.server.url}${path}`, method, sent, payload, this.options.agent)
    if (!this.options.undocumented) expectDocumented(method, path, answer)
    this.keep(answer)
    return answer
  }

  /** Keeps a response's step-up token and cookies for the requests after it, as a browser does. */
  private keep({ body, cookies }: Answer) {
    this.stepUp = body?.stepUp ?? this.stepUp
    for (const { name, value, attributes } of cookies) {
      if (attributes['max-age'] === '0' || value === '') this.jar.delete(name)
      else this.jar.set(name, value)
    }
  }

  private standingHeaders() {
    const { page, bearer } = this.options
    return {
      Host: new URL(this.server.origin).host,
      ...(page && { Origin: this.server.origin, 'Sec-Fetch-Site': 'same-origin' }),
      ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
      ...(this.stepUp !== undefined && { 'Latchkey-Step-Up': this.stepUp }),
      ...(this.jar.size > 0 && { Cookie: [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ') }),
    }
  }
}

function send(
  url: string,
  method: string,
  headers: Record<string, string | undefined>,
  payload?: string | Uint8Array,
  // A server may close an idle connection just when it is used again.
  agent: Agent | false = false,
) {
  const sent = withoutUndefined(headers)
  return new Promise<Answer>((done, fail) => {
    const ask = url.startsWith('https:') ? requestByTls : request
    const asking = ask(url, { method, headers: sent, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', fail)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const cookies = (response.headers['set-cookie'] ?? []).map(parseSetCookie)
        done({ status: response.statusCode ?? 0, headers: response.headers, text, body: parseBody(text), cookies })
      })
    })
    asking.on('error', fail)
    asking.end(payload)
  })
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parseSetCookie(line: string): SetCookie {
  const [pair = '', ...rest] = line.split(';').map((part) => part.trim())
  const attributes = rest.map((part): [string, string | true] => {
    const [name = '', value] = part.split('=')
    return [name.toLowerCase(), value ?? true]
  })
  const cut = pair.indexOf('=')
  return { name: pair.slice(0, cut), value: pair.slice(cut + 1), attributes: Object.fromEntries(attributes) }
}
