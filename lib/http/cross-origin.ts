import type { Endpoint } from '@/lib/api/endpoints'
import { settings } from '@/lib/settings/settings'
import { requireSameOrigin } from './csrf'
import type { Header } from './response'

/** How long browsers may remember a preflight; they ask again sooner if they like. */
const preflightSeconds = 600

/** The origin of the page that sent a request if it is one of CLIENT_ORIGINS, else null. `Origin: null` never is. */
export function clientOrigin({ headers }: Request): string | null {
  const origin = headers.get('Origin')
  return origin !== null && settings().clientOrigins.includes(origin) ? origin : null
}

export type Origin = NonNullable<Endpoint['origin']>

export interface OriginRule {
  /** @returns `clientOrigin` of the call @throws ApiError foreign_origin */
  admit(request: Request): string | null
  /** The headers that let the page read the response, whatever it is. */
  cors(clientOrigin: string | null): Header[]
}

/** From where an endpoint may be called, by `origin` of its row. */
export const originRules: Record<Origin, OriginRule> = {
  own: {
    admit(request) {
      requireSameOrigin(request)
      return null
    },
    cors: () => [],
  },
  listed: { admit: (request) => clientOrigin(request) ?? originRules.own.admit(request), cors: corsHeaders },
  // Without credentials: a page learns no more than its own server could.
  any: { admit: () => null, cors: () => [['Access-Control-Allow-Origin', '*']] },
}

/**
 * The headers that let a page of exactly this origin read a response to a request with cookies (Fetch section 3.3). Caches
 * must not give it to other pages, also where it lets none.
 */
function corsHeaders(origin: string | null): Header[] {
  return [['Vary', 'Origin'], ...(origin === null ? [] : allowing(origin))]
}

const allowing = (origin: string): Header[] => [
  ['Access-Control-Allow-Origin', origin],
  ['Access-Control-Allow-Credentials', 'true'],
]

export function withCors(response: Response, headers: Header[]): Response {
  for (const [name, value] of headers) response.headers.append(name, value)
  return response
}

/** Whether a request is a preflight (Fetch section 3.3.2). */
export const isPreflight = ({ headers }: Request) => headers.has('Access-Control-Request-Method')

/** What a page of CLIENT_ORIGINS may send. */
export const preflightResponse = () =>
  new Response(null, {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': 'Authorization, Content-Type',
      'Access-Control-Max-Age': String(preflightSeconds),
    },
  })
