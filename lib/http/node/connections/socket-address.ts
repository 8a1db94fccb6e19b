import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'

const addresses = new WeakMap<Socket, string>()

/** A connection that is reset loses its address. */
export function rememberAddresses(server: Server): void {
  server.on('connection', (socket) => addresses.set(socket, socket.remoteAddress ?? 'unknown'))
}

/** Appends the socket's address to X-Forwarded-For: the last entry, which clients cannot forge. */
export function appendAddress({ headers, rawHeaders, socket }: IncomingMessage): void {
  const before = headers['x-forwarded-for']
  const address = addresses.get(socket) ?? 'unknown'
  rawHeaders.push('X-Forwarded-For', address)
  if (before !== undefined && settings().trustedProxies === 0) singleton('forwarded-for-warning', warnOfProxy)
  headers['x-forwarded-for'] = before === undefined ? address : `${before}, ${address}`
}

const warnOfProxy = () =>
  log().warn('received X-Forwarded-For, but TRUSTED_PROXIES is 0: behind a proxy all clients share one address')
