import type { IncomingMessage, ServerResponse } from 'node:http'
import { isForCaches, noStore } from './pages.js'
import { mostBody, notInGroup, notSignedIn } from './requests.js'
import { type Options, type Requirement, type User, latchkey as web } from './web.js'

export type { Options, Requirement, User } from './web.js'

declare global {
  namespace Express {
    interface Request {
      /** Who is signed in, or null */
      user?: User | null
    }
  }
}

interface ExpressRequest extends IncomingMessage {
  originalUrl?: string
  /** What another middleware has read of the body */
  body?: unknown
  user?: User | null
}

type Middleware = (request: ExpressRequest, response: ServerResponse, next: (error?: unknown) => void) => Promise<void>

/** `app.use(latchkey())`: answers the paths below `/auth`, and puts whoever is signed in at `request.user`. */
export function latchkey(options: Options = {}): Middleware {
  const { handle, renew } = web(options)
  return async (request, response, next) => {
    const converted = await toRequest(request, isBackChannel(request))
    if (!converted) return send(unreadable(), response)
    const answer = await handle(converted)
    if (answer) return send(answer, response)
    const { user, cookies } = await renew(converted)
    for (const cookie of cookies) response.appendHeader('Set-Cookie', cookie)
    if (cookies.length > 0) keepFromCaches(response)
    request.user = user
    next()
  }
}

/** Lets on who is signed in, and in the group; leads to the sign-in, or answers 401 or 403. */
export function requireUser({ group }: Requirement = {}): Middleware {
  return async (request, response, next) => {
    const { user } = request
    if (user === undefined) return next(new Error('requireUser() needs app.use(latchkey()) before it.'))
    const converted = await toRequest(request, false)
    if (!converted) return send(unreadable(), response)
    if (!user) return send(notSignedIn(converted), response)
    if (group !== undefined && !user.groups.includes(group)) return send(notInGroup(converted, group), response)
    next()
  }
}

/** Ends a request that cannot be read, so that no handler of the app sees it without a check of who sends it. */
const unreadable = () => new Response('Bad request', { status: 400 })

const isBackChannel = (request: ExpressRequest) => request.method === 'POST' && urlOf(request) === '/auth/back-channel'

const urlOf = (request: ExpressRequest) => request.originalUrl ?? request.url ?? '/'

/** Null for a request whose address or Host nobody can read. */
async function toRequest(request: ExpressRequest, withBody: boolean): Promise<Request | null> {
  const address = `http://${request.headers.host ?? 'localhost'}${urlOf(request)}`
  // Fetch has no request of these methods.
  if (/^(CONNECT|TRACE|TRACK)$/i.test(request.method ?? '')) return null
  if (!urlOf(request).startsWith('/') || !URL.canParse(address)) return null
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    for (const one of [value ?? []].flat()) if (!name.startsWith(':')) headers.append(name, one)
  const body = withBody ? await bodyOf(request) : null
  return new Request(address, { method: request.method ?? 'GET', headers, body })
}

/** When the app sends its headers, and so has said what it wants caches to keep. */
function keepFromCaches(response: ServerResponse): void {
  const { writeHead } = response
  response.writeHead = ((...given: unknown[]) => {
    for (const name of response.getHeaderNames()) if (isForCaches(name)) response.removeHeader(name)
    response.setHeader('Cache-Control', noStore['Cache-Control'])
    return Reflect.apply(writeHead, response, given.map(withoutCaching))
  }) as typeof writeHead
}

/** An argument of `writeHead`: headers come as an object, as pairs, or as names and values in turn. */
function withoutCaching(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given
  if (!Array.isArray(given)) return Object.fromEntries(Object.entries(given).filter(([name]) => !isForCaches(name)))
  const flat: unknown[] = given.flat()
  return flat.filter((_, index) => !isForCaches(String(flat[index - (index % 2)])))
}

async function bodyOf(request: ExpressRequest): Promise<string> {
  if (typeof request.body === 'string') return request.body
  if (request.body && typeof request.body === 'object')
    return String(new URLSearchParams(request.body as Record<string, string>))
  let text = ''
  // To its end, or the connection would close before the answer; no more is kept than shows that it is too long.
  for await (const chunk of request.setEncoding('utf8')) if (text.length <= mostBody) text += chunk
  return text
}

async function send(answer: Response, response: ServerResponse) {
  response.statusCode = answer.status
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') response.setHeader(name, value)
  for (const cookie of answer.headers.getSetCookie()) response.appendHeader('Set-Cookie', cookie)
  response.end(await answer.text())
}
