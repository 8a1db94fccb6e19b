import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { singleton } from '@/lib/process/singleton'
import { KeyedQueue } from '@/lib/process/work'
import { ReceiverError } from './senders'

export interface Address {
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
export async function publicAddresses({ hostname }: URL): Promise<Address[]> {
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
/** A slow name counts as slow for this long, and then until a name server answers quickly. */
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
