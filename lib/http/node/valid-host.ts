import type { IncomingMessage } from 'node:http'

/** `new URL()` throws on other hosts (RFC 9110 section 7.2). HTTP/1.0 needs none (RFC 9112 section 3.2). */
export function hasValidHost({ headers: { host }, httpVersion }: IncomingMessage): boolean {
  if (host === undefined) return httpVersion !== '1.1'
  return host === '' || (!/[/?#@\\\s]/.test(host) && URL.canParse(`http://${host}`))
}
