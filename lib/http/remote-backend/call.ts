import * as http from 'node:http'
import * as https from 'node:https'
import { ApiError } from '@/lib/api/errors'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'

/** Longer than the backend's own queue of password hashes may take; past it nobody is waiting anymore. */
const deadlineMilliseconds = 20_000
/** Shorter than servers keep an idle connection, so that none is closed under the request that uses it next. */
const idleMilliseconds = 2_000

/** Headers of the connection, not of the answer (RFC 9110 section 7.6.1). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const bodiless = new Set([204, 205, 304])

/**
 * One request to the backend, and its answer as it came: no redirect is followed, nothing is decoded. Node's client and not
 * `fetch`, which writes a Sec-Fetch-Mode of its own, undoes compression, and caches under Next.
 *
 * @throws ApiError unavailable, when there is no whole answer in time
 */
export async function callBackend(url: URL, method: string, headers: Headers, body?: Uint8Array): Promise<Response> {
  try {
    const incoming = await send(url, method, headers, body)
    const bytes = Buffer.concat(await incoming.toArray())
    const status = incoming.statusCode ?? 502
    return new Response(bodiless.has(status) || method === 'HEAD' ? null : bytes, {
      status,
      headers: headersOf(incoming),
    })
  } catch (cause) {
    log().warn({ err: cause }, 'the backend did not answer in time')
    throw new ApiError('unavailable', { retryAfter: 1, cause })
  }
}

function send(url: URL, method: string, headers: Headers, body: Uint8Array | undefined): Promise<http.IncomingMessage> {
  const { request, Agent } = url.protocol === 'https:' ? https : http
  const agent = singleton('backend-agent', () => new Agent({ keepAlive: true, timeout: idleMilliseconds }))
  const signal = AbortSignal.timeout(deadlineMilliseconds)
  return new Promise((resolve, reject) => {
    request(url, { method, headers: Object.fromEntries(headers), agent, signal }, resolve)
      .on('error', reject)
      .end(body)
  })
}

/** One entry per line that arrived: joined into one, several Set-Cookie lines would be none (RFC 6265 section 3). */
function headersOf({ rawHeaders }: http.IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    if (!hopByHop.has(name.toLowerCase())) headers.append(name, value)
  }
  return headers
}
