import type { AdminPath, AdminResult } from '@/lib/admin/actions'
import { endpoints } from '@/lib/api/endpoints'
import { ApiError, type ErrorCode, errorStatus } from '@/lib/api/errors'
import { errorResponse } from '@/lib/api/schemas'
import { CommandError } from './terminal'

/* The server of LATCHKEY_URL, on which commands act by its API. */

/** Read before .env files are, which belong to a server here: the environment alone names another one. */
const named = { url: process.env.LATCHKEY_URL || undefined, key: process.env.LATCHKEY_KEY || undefined }

interface FarServer {
  origin: string
  key: string
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/

/** What LATCHKEY_URL and LATCHKEY_KEY name; null for the database of the settings. @throws CommandError */
export function farServer(): FarServer | null {
  const { url, key } = named
  if (url === undefined) return null
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (!parsed || ![parsed.origin, `${parsed.origin}/`].includes(url))
    throw new CommandError(
      `LATCHKEY_URL must be an origin such as https://id.example.com, and is ${JSON.stringify(url)}.`,
      2,
    )
  if (parsed.protocol !== 'https:' && !(parsed.protocol === 'http:' && loopback.test(parsed.hostname)))
    throw new CommandError(
      'LATCHKEY_URL must be https, unless its host is this machine: the key would be sent in the clear.',
      2,
    )
  if (key === undefined)
    throw new CommandError('LATCHKEY_URL is set, and LATCHKEY_KEY is not. `key add` on the server makes a key.', 2)
  if (!/^lko_[\w-]{43}$/.test(key))
    throw new CommandError('LATCHKEY_KEY is no key of an operator: those are lko_ and 43 characters.')
  return { origin: parsed.origin, key }
}

const longestWait = 20_000

/** @throws ApiError as the endpoint does; CommandError for what is not its answer */
export async function ask<P extends AdminPath>(server: FarServer, path: P, body: unknown): Promise<AdminResult<P>> {
  const { origin, key } = server
  const { status, text } = await send(`${origin}/api/admin${path}`, server, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Accept-Language': 'en' },
    body: JSON.stringify(body),
  })
  const answer = status === 204 ? null : parseJson(text)
  const results: Record<number, { safeParse(value: unknown): { success: boolean } } | null> =
    endpoints[`POST /api/admin${path}` as keyof typeof endpoints].results
  const schema = results[status]
  if (schema === null && answer === null) return null as AdminResult<P>
  if (schema?.safeParse(answer).success) return answer as AdminResult<P>
  if (schema !== undefined && answer !== undefined)
    throw new CommandError(`${origin} has another version of Latchkey. Use its own commands.`)
  const { data: error } = errorResponse.safeParse(answer)
  if (!error)
    throw new CommandError(
      `${origin} answers ${status}, and not as Latchkey does. Check LATCHKEY_URL and what proxies do.`,
    )
  if (error.code === 'authentication_failed')
    throw new CommandError(`${origin} does not know this key. It may have expired or been deleted.`)
  if (error.code === 'not_allowed')
    throw new CommandError(`This key may not do that${neededFor(path)}, or the account is an administrator's.`)
  if (error.code === 'not_found' && !(await knows(server, path)))
    throw new CommandError(`${origin} has an older version of Latchkey, without this. Use its own commands.`)
  const fields = Object.entries(error.fields ?? {}).map(([name, text]) => [name, { key: 'app_fault', text } as const])
  if (!(error.code in errorStatus)) throw new CommandError(error.error)
  throw new ApiError(error.code as ErrorCode, error.fields ? { fields: Object.fromEntries(fields) } : {})
}

/** Which areas the endpoint takes, in words. */
function neededFor(path: AdminPath): string {
  const { areas, writes } = endpoints[`POST /api/admin${path}`].rights
  if (areas === null) return ''
  return `: it takes the area ${areas.join(' and ')}${writes ? ', and no key that only reads' : ''}`
}

/** An account that is not there and an endpoint that is not are the same answer, so the server's own list tells. */
async function knows(server: FarServer, path: AdminPath): Promise<boolean> {
  const { text } = await send(`${server.origin}/api/openapi.json`, server, {})
  const document = parseJson(text) as { paths?: Record<string, unknown> } | undefined
  return document?.paths?.[`/api/admin${path}`] !== undefined
}

/** Redirects are not followed: another host would get the key. @throws CommandError */
async function send(url: string, { origin }: FarServer, request: RequestInit) {
  try {
    const response = await fetch(url, { ...request, redirect: 'manual', signal: AbortSignal.timeout(longestWait) })
    const location = response.headers.get('Location')
    if (response.status >= 300 && response.status < 400)
      throw new CommandError(
        `${origin} leads to ${location ?? 'another place'}. Set LATCHKEY_URL to the server's own origin.`,
      )
    return { status: response.status, text: await response.text() }
  } catch (error) {
    throw error instanceof CommandError ? error : new CommandError(unreachable(origin, error))
  }
}

function unreachable(origin: string, error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `${origin} did not answer within 20 seconds.`
  const { code = '', message = '' } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
  if (/^(CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO_|HOSTNAME_|ERR_TLS|ERR_SSL|EPROTO)/.test(code))
    return `The certificate of ${origin} cannot be trusted, or it does not speak TLS (${code}). NODE_EXTRA_CA_CERTS names a private authority.`
  return `${origin} cannot be reached (${code || message}). Check LATCHKEY_URL, and that the server runs.`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
