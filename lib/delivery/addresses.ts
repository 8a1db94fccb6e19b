import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { singleton } from '@/lib/process/singleton'
import { ReceiverError } from './receiver-error'
import { Resolver } from './resolver'

export interface Address {
  address: string
  family: number
}

/** Ranges of ipaddr.js that reach this machine or its network alone. */
const privateRanges = ['loopback', 'private', 'uniqueLocal']
/** Where no receiver is: the metadata service of a cloud, which gives out its keys, is at a link-local address. */
const forbiddenRanges = ['linkLocal', 'unspecified', 'multicast', 'broadcast', 'reserved']
/** The metadata services of EC2, Google's and Oracle's clouds over IPv6, whose addresses are private ones. */
const metadataServices = ['fd00:ec2::254', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe']

/**
 * The addresses of a receiver that may be called: none that is link-local, and for plain http only loopback and private
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
    throw new ReceiverError(`${host} is at ${all[0]?.address}, a link-local or reserved address, which is never called`)
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

const isForbidden = (address: string) =>
  forbiddenRanges.includes(parsed(address).range()) || metadataServices.includes(parsed(address).toString())

const isPrivate = (address: string) => privateRanges.includes(parsed(address).range())
