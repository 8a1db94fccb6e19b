import { limits } from '@/lib/api/limits'
import { isUnusableScheme } from '@/lib/settings/fields'

const maxLength = limits.appUri

const web = /^(https?):\/\/(\[[\da-fA-F:.]+\]|[A-Za-z\d.-]+)(:\d{1,5})?([/?].*)?$/
const customScheme = /^(?!https?:)[a-z][a-z\d+.-]*:/
/** What looks like a custom scheme is most often a host and port whose scheme was forgotten. */
const hostAndPort = /^[A-Za-z\d.-]+:\d{1,5}([/?]|$)/
/** Names below `localhost` lead to the device, too (RFC 6761 section 6.3). */
const loopback = /^(?:(?:[A-Za-z\d-]+\.)*localhost|127\.0\.0\.1|\[::1\])$/

/** Browsers resolve these, encoded or not, and would request another URL than the one that was compared. */
const dotSegment = /(^|[/\\])(\.|%2e){1,2}([/\\?]|$)/i

/**
 * What is wrong with a redirect URI (RFC 9700 section 2.1, RFC 8252 section 7), after the words "The URI"; or null.
 * URIs are compared as text, so dot segments and backslashes, which lead browsers to another path, are rejected.
 */
export function redirectUriFault(uri: string): string | null {
  if (uri.length > maxLength) return `must have at most ${maxLength} characters`
  if (!/^[\x21-\x7e]+$/.test(uri)) return 'must be of ASCII without spaces; percent-encode the rest'
  if (uri.includes('#')) return 'must have no fragment'
  if (uri.includes('*')) return 'must be one URI in full, without a wildcard'
  if (uri.includes('\\')) return 'must have no backslash'
  const afterScheme = uri.replace(/^[^:]*:\/*/, '')
  if (/^[^/?]*@/.test(afterScheme)) return 'must have no user information before the host'
  if (dotSegment.test(afterScheme.replace(/\?.*$/s, ''))) return 'must have no dot segments'
  return schemeFault(uri)
}

function schemeFault(uri: string): string | null {
  if (hostAndPort.test(uri)) return 'has no scheme; write https:// before it, or http:// for localhost'
  if (isCustomScheme(uri) && !isUnusableScheme(uri)) return null
  const [, scheme, host = ''] = web.exec(uri) ?? []
  if (scheme === undefined || !URL.canParse(uri))
    return 'must be absolute, such as https://app.example.com/callback or com.example.app:/callback'
  if (scheme === 'http' && !loopback.test(host))
    return 'must be https; http is for localhost, names that end in .localhost, 127.0.0.1 and [::1] only'
  return null
}

export function webUrlFault(uri: string): string | null {
  if (uri.length > maxLength) return `must have at most ${maxLength} characters`
  const url = /^[\x21-\x7e]+$/.test(uri) && web.test(uri) && URL.canParse(uri) ? new URL(uri) : null
  return url && !url.hash ? null : 'must be an http or https URL without a fragment'
}

/** Any program on the device can receive the response, so that only PKCE binds the code to the app (RFC 8252 section 8.1). */
export const isCustomScheme = (uri: string) => customScheme.test(uri)

/** Whether the URI leads to a program on the person's own device (RFC 8252 section 7). */
export const isOnDevice = (uri: string) => isCustomScheme(uri) || loopback.test(web.exec(uri)?.[2] ?? '')

/** Native apps take a free port each time (RFC 8252 section 7.3), and many say `localhost`, which browsers never look up. */
const anyPort = /^(http:\/\/(?:(?:[A-Za-z\d-]+\.)*localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/

/** Compares text (RFC 9700 section 4.1.3): two parsers that differ would make it a redirect to somebody else. */
export function isRegistered(app: { redirectUris: readonly string[]; public: boolean }, uri: string): boolean {
  if (app.redirectUris.includes(uri)) return true
  const portless = (text: string) => text.replace(anyPort, '$1')
  return (
    app.public &&
    anyPort.test(uri) &&
    // The pattern admits ports above 65535.
    URL.canParse(uri) &&
    app.redirectUris.some((one) => anyPort.test(one) && portless(one) === portless(uri))
  )
}

/** Whether a client_id is the URL of a document, by which a client introduces itself. No registered app has such an id. */
export const isDocumentUrl = (id: string) => id.startsWith('https://')
