import { limits } from '@/lib/api/limits'
import { isVisible } from '@/lib/api/schemas/fields'
import { isGroupName } from '@/lib/auth/model/groups'
import { settings } from '@/lib/settings/settings'
import { type App, isAppId } from '../apps/app'
import { redirectUriFault, webUrlFault } from '../apps/redirect-uris'

export type AppSpec = Omit<App, 'createdAt' | 'lastRefusal'>

/** Controls, and what reverses or breaks the line: people must read a name as it was written. */
const unreadable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** A sentence for each fault. Those of the id are `idFaults()`: a change keeps the id. */
export function appFaults(app: AppSpec): string[] {
  const aboutUri = (fault: string | null, uri: string) =>
    fault === null ? [] : [`The URI ${JSON.stringify(uri)} ${fault}.`]
  return [
    ...nameFaults(app.name),
    ...(app.public && app.pkce !== 'required'
      ? ['A public app needs PKCE: nothing else binds a code to it (RFC 9700 section 2.1.1).']
      : []),
    ...(app.redirectUris.length === 0 ? ['An app needs a redirect URI.'] : []),
    ...app.redirectUris.flatMap((uri) => aboutUri(redirectUriFault(uri), uri)),
    ...app.signOutUris.flatMap((uri) => aboutUri(redirectUriFault(uri), uri)),
    ...[app.backChannelUri, app.homeUrl].flatMap((uri) => (uri === null ? [] : aboutUri(webUrlFault(uri), uri))),
    ...app.groups.flatMap((group) =>
      isGroupName(group)
        ? []
        : [`${JSON.stringify(group)} is no name of a group: 1 to ${limits.groupName} of a-z, 0-9 and . _ -`],
    ),
  ]
}

function nameFaults(name: string): string[] {
  const max = limits.appName
  const isReadable = name.trim() === name && isVisible(name) && name.length <= max && name.isWellFormed()
  return isReadable && !unreadable.test(name) ? [] : [`The name must be 1 to ${max} readable characters.`]
}

/** A sentence for each fault of a new app's id. */
export function idFaults(id: string): string[] {
  if (!isAppId(id)) return [`The id ${JSON.stringify(id)} must be 1 to ${limits.appId} letters, digits and . _ -`]
  return isNamedHost(id)
    ? [`The id ${id} is a host that the settings name, so tokens could be mistaken for each other. Choose another.`]
    : []
}

/** Access tokens of `/api/token` have an origin or ACCESS_COOKIE_DOMAIN as their `client_id`. */
export const isNamedHost = (id: string): boolean => namedHosts().includes(id.toLowerCase())

function namedHosts(): string[] {
  const { origins, clientOrigins, accessCookie, rpId } = settings()
  const hostOf = (origin: string) => origin.replace(/^[^/]*\/\//, '').replace(/:\d+$/, '')
  return [...[...origins, ...clientOrigins].map(hostOf), ...(accessCookie ? [accessCookie.domain] : []), rpId]
}
