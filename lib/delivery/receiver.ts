import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { type Address, permittedAddresses } from './addresses'
import { isReceiverError, ReceiverError } from './receiver-error'

/** For the name, the connection and the status. */
export const attemptMilliseconds = 10_000
/** For the body of the response, which nobody reads. */
const remainderMilliseconds = 1_000
const remainderBytes = 64 * 1024
/** Interim responses (RFC 9110 section 15.2): parsing an endless stream of them would hold up everybody for ten seconds. */
const maxInterim = 8

interface Post {
  headers: Record<string, string>
  body: string
  signal: AbortSignal
}

/**
 * Posts to a receiver that an operator has configured, often on a private network. Follows no redirect, which could lead
 * anywhere; verifies TLS whatever the environment says; waits ten seconds in all.
 *
 * @returns the status of the response
 * @throws ReceiverError
 */
export async function callReceiver(receiver: string, { headers, body, signal }: Post): Promise<number> {
  const url = new URL(receiver)
  const ending = new AbortController()
  const end = () => ending.abort()
  const deadline = setTimeout(
    () => ending.abort(new ReceiverError('no answer within ten seconds')),
    attemptMilliseconds,
  )
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    const addresses = await abortable(ending.signal, permittedAddresses(url))
    return await post(url, addresses, { headers, body, signal: ending.signal })
  } catch (error) {
    const cause = ending.signal.aborted ? ending.signal.reason : error
    throw isReceiverError(cause) ? cause : new ReceiverError(reasonOf(cause), { cause })
  } finally {
    clearTimeout(deadline)
    signal.removeEventListener('abort', end)
  }
}

/** Node's lookup of a name takes no signal. */
function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const stopped = new Promise<never>((_, reject) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([work, stopped])
}

/** Codes of Node and OpenSSL, such as ECONNREFUSED and CERT_HAS_EXPIRED; nothing of what the receiver sent. */
function reasonOf(cause: unknown): string {
  const { code, errors } = cause as NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }
  return `cannot be reached (${errors?.[0]?.code ?? code ?? 'unknown'})`
}

function post(url: URL, addresses: Address[], { headers, body, signal }: Post): Promise<number> {
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      headers: { 'User-Agent': 'Latchkey', ...headers, 'Content-Length': Buffer.byteLength(body) },
      // A connection of its own each time, to one of the addresses that were checked.
      agent: false,
      lookup: lookupAmong(addresses),
      rejectUnauthorized: true,
      signal,
    } as const
    const sending = request(url, options, (response) => {
      sending.off('error', reject).on('error', () => undefined)
      // Only the status counts, so nobody waits for a body that may be long or slow.
      resolve(response.statusCode ?? 0)
      endSoon(response)
    })
    sending.once('error', reject)
    // After a change of protocol (101), Node emits nothing else, and the deadline aborts nothing any more.
    sending.once('close', () => reject(new ReceiverError('closed the connection without an answer')))
    let interim = 0
    sending.on('information', () => {
      interim += 1
      if (interim <= maxInterim) return
      // Before `destroy()`, whose event comes later than a status in the same packet.
      reject(new ReceiverError('more than eight interim responses'))
      sending.destroy()
    })
    sending.end(body)
  })
}

/** Lets the receiver finish a response that is short and quick: a connection cut meanwhile is an error in its log. */
function endSoon(response: IncomingMessage): void {
  const late = setTimeout(() => response.destroy(), remainderMilliseconds)
  let length = 0
  response.on('data', (part: Buffer) => {
    length += part.length
    if (length > remainderBytes) response.destroy()
  })
  response.once('close', () => clearTimeout(late))
}

/** Gives `connect` the checked addresses in place of a second look at the name. */
const lookupAmong =
  (addresses: Address[]): LookupFunction =>
  (_, { all }, callback) => {
    const [first] = addresses as [Address]
    if (all) callback(null, addresses)
    else callback(null, first.address, first.family)
  }
