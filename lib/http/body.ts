import type { BodyMode } from '@/lib/api/endpoints'
import { ApiError } from '@/lib/api/errors'
import { limits } from '@/lib/api/limits'

/**
 * Reads a JSON body.
 *
 * @returns undefined if there is none
 * @throws ApiError payload_too_large, unsupported_media_type, invalid_request
 */
export async function readBody(request: Request, mode: BodyMode): Promise<unknown> {
  if (mode === 'ignored') return undefined
  if (Number(request.headers.get('Content-Length')) > limits.body) throw new ApiError('payload_too_large')
  const isJson = /^application\/json\s*(;|$)/i.test(request.headers.get('Content-Type') ?? '')
  if (mode === 'required' && !isJson) throw new ApiError('unsupported_media_type')
  const bytes = await readBytes(request)
  if (mode === 'optional' && bytes.length === 0) return undefined
  if (!isJson) throw new ApiError('unsupported_media_type')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ApiError('invalid_request', { fields: { body: { key: 'not_json' } } })
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** The raw body. @throws ApiError payload_too_large */
export async function readBytes(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader: Reader | undefined = request.body?.getReader()
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    length += next.value.length
    if (length > limits.body) {
      void discardRest(reader as Reader)
      throw new ApiError('payload_too_large')
    }
    chunks.push(next.value)
  }
  return Buffer.concat(chunks)
}

/**
 * Reads the rest and drops it: many clients send a whole body before they read the response, and cancelling the stream
 * would reset their connection. The server's request timeout bounds it.
 */
async function discardRest(reader: Reader): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The client disconnected.
  }
}
