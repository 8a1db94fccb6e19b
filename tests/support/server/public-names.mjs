// Loaded into the server's process before its own code. Names below documents.test are at a public address, which stands for
// 127.0.0.2 where a connection is made: so what is public to the server's guards is a server of the test.
import dns from 'node:dns/promises'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'

const publicAddress = { address: '93.184.216.34', family: 4 }
const privateAddresses = [
  '127.0.0.1',
  '10.0.0.5',
  '169.254.169.254',
  '100.64.0.1',
  '::1',
  'fd12::1',
  '::ffff:127.0.0.1',
]

/** @type {Map<string, number>} */
const looks = new Map()
const { lookup } = dns
/** @param {string} name @param {any} options */
const fake = async (name, options) => {
  if (!name.endsWith('.documents.test')) return lookup(name, options)
  const times = (looks.get(name) ?? 0) + 1
  looks.set(name, times)
  if (name.startsWith('private.') || (name.startsWith('rebind.') && times > 1))
    return privateAddresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  return [publicAddress]
}
Object.assign(dns, { lookup: fake })

const { get } = https
/** @param {any} options */
const connecting = ({ lookup: chosen, ...options }) => ({
  ...options,
  /** @param {string} name @param {any} asked @param {Function} callback */
  lookup: (name, asked, callback) =>
    chosen(name, asked, (/** @type {any[]} */ ...[error, found, family]) => {
      const real = (/** @type {string} */ address) => (address === publicAddress.address ? '127.0.0.2' : address)
      if (typeof found === 'string') callback(error, real(found), family)
      else
        callback(
          error,
          found?.map((/** @type {any} */ one) => ({ ...one, address: real(one.address) })),
        )
    }),
})
/** @param {any} url @param {any} options @param {any} callback */
const getThere = (url, options, callback) =>
  Reflect.apply(get, https, [url, url.hostname?.endsWith('.documents.test') ? connecting(options) : options, callback])
Object.assign(https, { get: getThere })
syncBuiltinESMExports()
