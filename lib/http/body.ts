import { ApiError } from '@/lib/api/errors'

/** What a route takes: JSON, JSON or nothing, or whatever comes, unread. */
export type BodyMode = 'required' | 'optional' | 'ignored'

const limit = 64 * 1024

/**
 * Reads a JSON body.
 *
 * @returns undefined where there is none
 * @throws ApiError payload_too_large, unsupported_media_type, invalid_request
 */
export async function readBody(request: Request, mode: BodyMode): Promise<unknown> {
  if (mode === 'ignored') return undefined
  if (Number(request.headers.get('Content-Length')) > limit) throw new ApiError('payload_too_large')
  const isJson = /^application\/json\s*(;|$)/i.test(request.headers.get('Content-Type') ?? '')
  if (mode === 'required' && !isJson) throw new ApiError('unsupported_media_type')
  const bytes = await readBytes(request)
  if (mode === 'optional' && bytes.length === 0) return undefined
  if (!isJson) throw new ApiError('unsupported_media_type')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ApiError('invalid_request', { fields: { body: 'Send a JSON object.' } })
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** All of a body, as it came. @throws ApiError payload_too_large */
export async function readBytes(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader: Reader | undefined = request.body?.getReader()
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    length += next.value.length
    if (length > limit) {
      void discardRest(reader as Reader)
      throw new ApiError('payload_too_large')
    }
    chunks.push(next.value)
  }
  return Buffer.concat(chunks)
}

/**
 * Reads on without keeping anything: many clients send all of a body before they look for the answer, and cancelling
 * the stream would tear down the connection under them. The server's request timeout ends it.
 */
async function discardRest(reader: Reader): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The client went away: there is nobody left to answer.
  }
}
