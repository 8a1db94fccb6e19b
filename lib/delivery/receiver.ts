import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { attemptMilliseconds } from '@/lib/api/limits'
import { type Address, permittedAddresses, publicAddresses } from './addresses'
import { isReceiverError, ReceiverError } from './senders'

/** The time for the body of the response, which nobody reads. */
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
export const callReceiver = (receiver: string, { headers, body, signal }: Post): Promise<number> =>
  withinDeadline(new URL(receiver), { signal }, (url, addresses, signal) =>
    post(url, addresses, { headers, body, signal }),
  )

/**
 * Fetches what an operator names, by https, once, with the limits of a receiver.
 *
 * @throws ReceiverError also for another status than 200, and for more bytes
 */
export const fetchBytes = async (address: string, maxBytes: number): Promise<Buffer> =>
  (await withinDeadline(new URL(address), {}, (url, addresses, signal) => get(url, addresses, maxBytes, signal))).bytes

/**
 * Fetches what a stranger names, as `fetchBytes` does, from a public address alone: by the others a stranger would reach this
 * machine and its network.
 *
 * @throws ReceiverError
 */
export const fetchForStranger = (address: string, maxBytes: number): Promise<Fetched> =>
  withinDeadline(new URL(address), { isPublic: true }, (url, addresses, signal) =>
    get(url, addresses, maxBytes, signal),
  )

interface Fetched {
  headers: IncomingHttpHeaders
  bytes: Buffer
}

interface Limits {
  signal?: AbortSignal
  /** At public addresses only */
  isPublic?: boolean
}

async function withinDeadline<T>(
  url: URL,
  { signal, isPublic = false }: Limits,
  work: (url: URL, addresses: Address[], signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController()
  const end = () => ending.abort()
  const deadline = setTimeout(
    () => ending.abort(new ReceiverError('no answer within ten seconds')),
    attemptMilliseconds,
  )
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  try {
    const addresses = await abortable(ending.signal, isPublic ? publicAddresses(url) : permittedAddresses(url))
    return await work(url, addresses, ending.signal)
  } catch (error) {
    const cause = ending.signal.aborted ? ending.signal.reason : error
    throw isReceiverError(cause) ? cause : new ReceiverError(reasonOf(cause), { cause })
  } finally {
    clearTimeout(deadline)
    signal?.removeEventListener('abort', end)
  }
}

/** Stops waiting for work at a signal, since Node's lookup of a name takes none. */
function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const stopped = new Promise<never>((_, reject) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([work, stopped])
}

/** Takes codes of Node and OpenSSL alone, such as ECONNREFUSED and CERT_HAS_EXPIRED: the receiver may have sent any text. */
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
      // Opens a new connection each time, to one of the permitted addresses.
      agent: false,
      lookup: lookupAmong(addresses),
      rejectUnauthorized: true,
      signal,
    } as const
    const sending = request(url, options, (response) => {
      sending.off('error', reject).on('error', () => undefined)
      // Takes the status and does not wait for a body, which may be long or slow.
      resolve(response.statusCode ?? 0)
      endSoon(response)
    })
    sending.once('error', reject)
    // After a change of protocol (101), Node emits only this, and the deadline aborts nothing any more.
    sending.once('close', () => reject(new ReceiverError('closed the connection without an answer')))
    limitInterim(sending, reject)
    sending.end(body)
  })
}

function limitInterim(sending: ClientRequest, reject: (error: ReceiverError) => void): void {
  let interim = 0
  sending.on('information', () => {
    interim += 1
    if (interim <= maxInterim) return
    // Rejects before `destroy()`, whose event comes later than a status in the same packet.
    reject(new ReceiverError('more than eight interim responses'))
    sending.destroy()
  })
}

function get(url: URL, addresses: Address[], maxBytes: number, signal: AbortSignal): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    const headers = { 'User-Agent': 'Latchkey' }
    const options = { headers, agent: false, lookup: lookupAmong(addresses), rejectUnauthorized: true, signal } as const
    const asking = https.get(url, options, (response) => {
      const { statusCode: status } = response
      const fail = (message: string) => {
        reject(new ReceiverError(message, { status }))
        asking.destroy()
      }
      if (status !== 200) return fail(`answered with ${status}`)
      const parts: Buffer[] = []
      let length = 0
      response.on('data', (part: Buffer) => {
        length += part.length
        if (length > maxBytes) fail(`sent more than ${maxBytes / 1024} KiB`)
        else parts.push(part)
      })
      response.once('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(parts) }))
      response.once('error', reject)
    })
    asking.on('error', reject)
    asking.once('close', () => reject(new ReceiverError('closed the connection without an answer')))
    limitInterim(asking, reject)
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
