import { settings } from '@/lib/settings/settings'
import type { Header } from './response'

/** How long browsers may remember a preflight; they ask again sooner if they like. */
const preflightSeconds = 600

/** The origin of the page that sent a request if it is one of CLIENT_ORIGINS, else null. `Origin: null` never is. */
export function clientOrigin({ headers }: Request): string | null {
  const origin = headers.get('Origin')
  return origin !== null && settings().clientOrigins.includes(origin) ? origin : null
}

/**
 * The headers that let a page of exactly this origin read a response to a request with cookies (Fetch section 3.3). Caches
 * must not give it to other pages, also where it lets none.
 */
export const corsHeaders = (origin: string | null): Header[] => [
  ['Vary', 'Origin'],
  ...(origin === null ? [] : allowing(origin)),
]

const allowing = (origin: string): Header[] => [
  ['Access-Control-Allow-Origin', origin],
  ['Access-Control-Allow-Credentials', 'true'],
]

export function withCors(response: Response, origin: string | null): Response {
  for (const [name, value] of corsHeaders(origin)) response.headers.append(name, value)
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
