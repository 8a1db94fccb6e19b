import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { singleton } from '@/lib/process/singleton'
import { KeyedQueue } from '@/lib/process/waiting'

/** The time for the name, the connection and the status. */
export const attemptMilliseconds = 10_000
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

/** Tells operators why a receiver could not be called, or did not respond. */
export class ReceiverError extends Error {
  override readonly name = 'ReceiverError'
  /** Of an answer that was not right; undefined if there was none */
  readonly status: number | undefined

  constructor(message: string, { status, cause }: { status?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}

/** Codes of Node and OpenSSL where TLS fails: a certificate that does not verify, or no TLS at all. */
const tlsCodes =
  /^(CERT_|CRL_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_|PATH_LENGTH_|EPROTO$)/

/** The code if TLS with the receiver failed; else null. */
export function tlsFailureOf(error: unknown): string | null {
  const { code } = (isReceiverError(error) && (error.cause as NodeJS.ErrnoException | undefined)) || {}
  return code !== undefined && tlsCodes.test(code) ? code : null
}

/** Compares names, because `instanceof` fails between the several copies of this module that one process holds. */
export const isReceiverError = (error: unknown): error is ReceiverError =>
  error instanceof Error && error.name === 'ReceiverError'

interface Address {
  address: string
  family: number
}

/** Ranges of ipaddr.js that reach this machine or its network alone; the last is RFC 6598's, which Tailscale uses. */
const privateRanges = ['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']
/** Ranges that no receiver is in. A cloud's metadata service, which gives out its keys, has a link-local address. */
const forbiddenRanges = ['linkLocal', 'unspecified', 'multicast', 'broadcast', 'reserved']
/** The services of clouds that give out keys or settings to their machines, at addresses which are not link-local. */
const metadataServices = [
  ...['100.100.100.200/32', '168.63.129.16/32'], // Alibaba's, Azure's
  ...['fd00:ec2::/32', 'fd20:ce::254/128', 'fd00:c1::a9fe:a9fe/128', 'fd00:42::42/128'], // EC2's, Google's, Oracle's, Scaleway's
].map((range) => ipaddr.parseCIDR(range))

/**
 * Finds the addresses of a receiver that we may call: never a cloud's metadata service, and by plain http only loopback and
 * private ones, since anybody on the way to another could read the message. Connect to exactly these, because the name may lead
 * to others the next time.
 *
 * @throws ReceiverError
 */
export async function permittedAddresses({ protocol, hostname }: URL): Promise<Address[]> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  const all = family ? [{ address: host, family }] : await resolved(host)
  const callable = all.filter(({ address }) => !isForbidden(address))
  if (callable.length === 0)
    throw new ReceiverError(
      `${host} is at ${all[0]?.address}, a link-local or reserved address or a cloud's metadata service, which is never called`,
    )
  const permitted = protocol === 'https:' ? callable : callable.filter(({ address }) => isPrivate(address))
  if (permitted.length === 0)
    throw new ReceiverError(`${host} is at ${callable[0]?.address}, which is not on a private network: use https`)
  return permitted
}

/**
 * Finds the public addresses of what a stranger named. Connect to exactly these, because the name may lead to this machine the
 * next time. Waits in the line of slow names, so that strangers hold up no messages.
 *
 * @throws ReceiverError
 */
async function publicAddresses({ hostname }: URL): Promise<Address[]> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const permitted = (await resolved(host, 'slow')).filter(
    ({ address }) => parsed(address).range() === 'unicast' && !isForbidden(address),
  )
  if (permitted.length === 0) throw new ReceiverError(`${host} has no public address`)
  return permitted
}

const resolver = () => singleton('resolver', () => new Resolver())

async function resolved(host: string, line?: Line): Promise<Address[]> {
  return resolver()
    .addresses(host, line)
    .catch((cause: NodeJS.ErrnoException) => {
      throw new ReceiverError(`${host} cannot be resolved (${cause.code})`, { cause })
    })
}

/** Places, in bytes, of the IPv4 address in IPv6 addresses of a translator or tunnel, by their ranges of ipaddr.js. */
const embedded: Record<string, [from: number, to: number]> = { rfc6052: [12, 16], rfc6145: [12, 16], '6to4': [2, 6] }

/** Reads an address without its zone; an IPv4 address inside an IPv6 one becomes IPv4. */
function parsed(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const whole = ipaddr.process(address.replace(/%.*$/, ''))
  const bytes = embedded[whole.range()]
  return bytes ? new ipaddr.IPv4(whole.toByteArray().slice(...bytes)) : whole
}

function isForbidden(text: string): boolean {
  const address = parsed(text)
  if (forbiddenRanges.includes(address.range())) return true
  return ipaddr.subnetMatch(address, { metadata: metadataServices }, 'other') === 'metadata'
}

const isPrivate = (address: string) => privateRanges.includes(parsed(address).range())

/** A look-up that takes longer makes its name a slow one. `getaddrinfo` asks a second time after five seconds. */
const slowMilliseconds = 2_000
/** A slow name counts as slow for so long, and then until a name server answers quickly. */
const slowForMilliseconds = 60 * 60_000

type Line = 'usual' | 'slow'

const lookUp = (name: string): Promise<LookupAddress[]> => lookup(name, { all: true })

/**
 * Looks up the names of receivers one after the other, and slow ones in a separate line: otherwise the owner of a slow name
 * server could stop everybody's messages. Uses getaddrinfo, which knows the machine's hosts file and search domains. That holds
 * a thread until the name servers answer, long after the attempt has ended, and libuv has two threads for all look-ups of the
 * process, such as those of the database's name.
 */
export class Resolver {
  readonly #queue = new KeyedQueue<Line>()
  readonly #underWay = new Map<string, Promise<LookupAddress[]>>()
  /** The time after which a name may leave the slow ones, by `#now` */
  readonly #slowUntil = new Map<string, number>()
  readonly #lookUp: typeof lookUp
  readonly #now: () => number

  constructor(find = lookUp, now = () => performance.now()) {
    this.#lookUp = find
    this.#now = now
  }

  /** Callers that wait for the same name share one look-up. @throws as `lookup` of node:dns/promises does */
  addresses(name: string, line: Line = this.#slowUntil.has(name) ? 'slow' : 'usual'): Promise<LookupAddress[]> {
    const key = `${line} ${name}`
    const known = this.#underWay.get(key)
    if (known) return known
    const found = this.#queue.add(line, () => this.#timed(name)).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, found)
    return found
  }

  async #timed(name: string): Promise<LookupAddress[]> {
    const begun = this.#now()
    try {
      return await this.#lookUp(name)
    } finally {
      this.#settle(name, begun)
    }
  }

  #settle(name: string, begun: number): void {
    const now = this.#now()
    if (now - begun > slowMilliseconds) this.#slowUntil.set(name, now + slowForMilliseconds)
    // Waits for the end of its hour, because a name server could be quick and slow by turns.
    else if ((this.#slowUntil.get(name) ?? now) <= now) this.#slowUntil.delete(name)
  }
}
