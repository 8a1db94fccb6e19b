import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { singleton } from '@/lib/process/singleton'
import { ReceiverError } from './receiver-error'
import { Resolver } from './resolver'

export interface Address {
  address: string
  family: number
}

/** Ranges of ipaddr.js that reach this machine or its network alone; the last is what RFC 6598 shares, as Tailscale does. */
const privateRanges = ['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']
/** Where no receiver is: the metadata service of a cloud, which gives out its keys, is at a link-local address. */
const forbiddenRanges = ['linkLocal', 'unspecified', 'multicast', 'broadcast', 'reserved']
/** The services of clouds that give out keys or settings to their machines, at addresses which are not link-local. */
const metadataServices = [
  ...['100.100.100.200/32', '168.63.129.16/32'], // Alibaba's, Azure's
  ...['fd00:ec2::/32', 'fd20:ce::254/128', 'fd00:c1::a9fe:a9fe/128', 'fd00:42::42/128'], // EC2's, Google's, Oracle's, Scaleway's
].map((range) => ipaddr.parseCIDR(range))

/**
 * The addresses of a receiver that may be called: none of a cloud's metadata, and for plain http only loopback and private
 * ones, since anybody on the way to another could read it. Connect to exactly these: the name may resolve to others next.
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

const resolver = () => singleton('resolver', () => new Resolver())

async function resolved(host: string): Promise<Address[]> {
  return resolver()
    .addresses(host)
    .catch((cause: NodeJS.ErrnoException) => {
      throw new ReceiverError(`${host} cannot be resolved (${cause.code})`, { cause })
    })
}

/** Where IPv6 addresses of other ranges of ipaddr.js have the IPv4 address that a translator or tunnel leads to, in bytes. */
const embedded: Record<string, [from: number, to: number]> = { rfc6052: [12, 16], rfc6145: [12, 16], '6to4': [2, 6] }

/** Reads an IPv4 address inside an IPv6 one as what it is, and ignores the zone. */
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
