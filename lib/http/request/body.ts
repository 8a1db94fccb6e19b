import type { ServerRequest } from 'srvx'
import type { BodyMode } from '@/lib/api/endpoints'
import { ApiError } from '@/lib/api/errors'
import { limits } from '@/lib/api/limits'
import { repeatedName, withoutEmpty } from '@/lib/api/urls'

const json = { type: /^application\/json\s*(;|$)/i, parse: parseJson }
const form = { type: /^application\/x-www-form-urlencoded\s*(;|$)/i, parse: parseForm }

export const isForm = (request: Request) => form.type.test(request.headers.get('Content-Type') ?? '')

/** Parses JSON or a form; undefined without a body. */
export async function readBody(request: Request, mode: Exclude<BodyMode, 'ignored'>, most?: number): Promise<unknown> {
  if (Number(request.headers.get('Content-Length')) > (most ?? limits.body)) throw new ApiError('payload_too_large')
  const media = mode.endsWith('form') ? form : json
  const isRight = media.type.test(request.headers.get('Content-Type') ?? '')
  const isOptional = mode.startsWith('optional')
  if (!isOptional && !isRight) throw new ApiError('unsupported_media_type')
  const bytes = await readBytes(request, most)
  if (isOptional && bytes.length === 0) return undefined
  if (!isRight) throw new ApiError('unsupported_media_type')
  return media.parse(bytes)
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ApiError('invalid_request', { fields: { body: { key: 'not_json' } } })
  }
}

/**
 * Rejects a repeated parameter, which two programs could read differently. Joins those of `resource` (RFC 8707 section 2) by
 * spaces: one within a value becomes a tab, which no URI has, so that nobody takes the value for two.
 */
function parseForm(bytes: Uint8Array): Record<string, string> {
  const parameters = new URLSearchParams(new TextDecoder().decode(bytes))
  const repeated = repeatedName(parameters)
  if (repeated !== undefined) throw new ApiError('invalid_request', { fields: { [repeated]: { key: 'invalid' } } })
  const resources = new Set(parameters.getAll('resource').map((value) => value.replaceAll(' ', '\t')))
  if (resources.size > 0) parameters.set('resource', [...resources].join(' '))
  return Object.fromEntries(withoutEmpty(parameters))
}

type Read = () => Promise<{ done?: boolean | undefined; value?: Uint8Array | undefined }>

/** Reads from Node's stream where it can: converting that to a Web stream takes as long as the rest of a small request. */
function readerOf(request: ServerRequest): Read | null {
  const node = request.runtime?.node?.req
  if (node && request.method !== 'GET' && request.method !== 'HEAD') {
    const chunks: AsyncIterator<Uint8Array> = node[Symbol.asyncIterator]()
    return () => chunks.next()
  }
  const reader = request.body?.getReader()
  return reader ? () => reader.read() : null
}

/** @throws ApiError payload_too_large; unavailable if the client disconnects */
export async function readBytes(request: Request, most: number = limits.body): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  const read = readerOf(request)
  const next = () => read?.().catch(disconnected)
  for (let part = await next(); part?.value && !part.done; part = await next()) {
    length += part.value.length
    if (length > most) {
      void discardRest(read as Read)
      throw new ApiError('payload_too_large')
    }
    chunks.push(part.value)
  }
  return Buffer.concat(chunks)
}

const disconnected = (cause: unknown): never => {
  throw new ApiError('unavailable', { cause })
}

/** Drops the rest: cancelling resets the connection of a client that still sends. The request timeout bounds it. */
async function discardRest(read: Read): Promise<void> {
  try {
    while (!(await read()).done);
  } catch {
    // The client disconnected.
  }
}
