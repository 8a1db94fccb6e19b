import { ApiError, type FieldError } from '@/lib/api/errors'
import { limits } from '@/lib/api/limits'
import { isVisible } from '@/lib/api/schemas/fields'
import { isGroupName } from '@/lib/auth/account'
import { settings } from '@/lib/settings/settings'
import { type App, type Icon, isAppId, joinSpaced } from './app'
import { redirectUriFault, webUrlFault } from './redirect-uris'

/** What an operator says about an app. */
export type AppSpec = Omit<App, 'icon' | 'managed' | 'createdAt' | 'lastRefusal'>

/** The same with its picture; undefined where nothing is said about it. */
export type AppSpecWithIcon = AppSpec & { icon?: Icon | null | undefined }

/** Defaults for what a command's options or a file leave out, in the order in which a file's changes name the fields */
export const appDefaults: Omit<AppSpec, 'id' | 'name' | 'redirectUris'> = {
  signOutUris: [],
  backChannelUri: null,
  homeUrl: null,
  public: false,
  pkce: 'or_nonce',
  trusted: false,
  requirePasskey: false,
  groups: [],
  machine: false,
  device: false,
}

/** The fields that a command's options or a file may leave out. */
export const optionalFields = Object.keys(appDefaults) as (keyof typeof appDefaults)[]

export const columnsOf = (spec: AppSpec) => ({
  name: spec.name,
  redirectUris: joinSpaced(spec.redirectUris),
  signOutUris: joinSpaced(spec.signOutUris),
  backChannelUri: spec.backChannelUri,
  homeUrl: spec.homeUrl,
  pkce: spec.pkce,
  trusted: spec.trusted,
  requirePasskey: spec.requirePasskey,
  groups: joinSpaced(spec.groups),
  machine: spec.machine,
  device: spec.device,
})

/** The column that names the picture, if the operator says something about it. */
export const iconColumnOf = ({ icon }: Pick<AppSpecWithIcon, 'icon'>) =>
  icon === undefined ? {} : { icon: icon?.digest ?? null }

export interface AppFault {
  /** The field of the endpoints */
  field: string
  text: string
}

/** Controls, and what reverses or breaks the line: people must read a name as it was written. */
const unreadable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** A sentence for each fault. Those of the id are `idFaults()`: a change keeps the id. */
export function faultsByField(app: AppSpec): AppFault[] {
  const aboutUri = (field: string, uri: string, reason: string | null) =>
    reason === null ? [] : [{ field, text: `The URI ${JSON.stringify(uri)} ${reason}.` }]
  const aboutUrl = (field: string, url: string | null) => (url === null ? [] : aboutUri(field, url, webUrlFault(url)))
  return [
    ...nameFaults(app.name).map((text) => ({ field: 'name', text })),
    ...(app.public && app.pkce !== 'required'
      ? [{ field: 'pkce', text: 'A public app needs PKCE: nothing else binds a code to it (RFC 9700 section 2.1.1).' }]
      : []),
    ...(app.machine ? machineFaults(app) : []),
    ...(app.redirectUris.length === 0 && !app.machine && !app.device
      ? [{ field: 'redirectUris', text: 'An app needs a redirect URI.' }]
      : []),
    ...app.redirectUris.flatMap((uri) => aboutUri('redirectUris', uri, redirectUriFault(uri))),
    ...app.signOutUris.flatMap((uri) => aboutUri('signOutUris', uri, redirectUriFault(uri))),
    ...aboutUrl('backChannelUri', app.backChannelUri),
    ...aboutUrl('homeUrl', app.homeUrl),
    ...app.groups.flatMap(groupNameFaults).map((text) => ({ field: 'groups', text })),
  ]
}

export const groupNameFaults = (group: string): string[] =>
  isGroupName(group)
    ? []
    : [`${JSON.stringify(group)} is no name of a group: 1 to ${limits.groupName} of a-z, 0-9 and . _ -`]

/** A machine signs nobody in, so what is about people would look as if it did something. */
function machineFaults(app: AppSpec): AppFault[] {
  const isSaid = {
    public: app.public,
    redirectUris: app.redirectUris.length > 0,
    signOutUris: app.signOutUris.length > 0,
    backChannelUri: app.backChannelUri !== null,
    device: app.device,
    trusted: app.trusted,
    requirePasskey: app.requirePasskey,
    groups: app.groups.length > 0,
  }
  const sentences: Partial<Record<string, string>> = {
    public: 'A machine shows its secret, so it is not public.',
    redirectUris: 'A machine signs nobody in, so it has no redirect URI.',
  }
  return Object.entries(isSaid)
    .filter(([, said]) => said)
    .map(([field]) => ({ field, text: sentences[field] ?? 'A machine signs nobody in, so this is not for it.' }))
}

export function nameFaults(name: string, max: number = limits.appName): string[] {
  const isReadable = name.trim() === name && isVisible(name) && name.length <= max && name.isWellFormed()
  return isReadable && !unreadable.test(name) ? [] : [`The name must be 1 to ${max} readable characters.`]
}

export const idFormatFaults = (id: string): string[] =>
  isAppId(id) ? [] : [`The id ${JSON.stringify(id)} must be 1 to ${limits.appId} letters, digits and . _ -`]

/** A sentence for each fault of a new app's id. */
export function idFaults(id: string): string[] {
  if (!isAppId(id)) return idFormatFaults(id)
  return isNamedHost(id)
    ? [`The id ${id} is a host that the settings name, so tokens could be mistaken for each other. Choose another.`]
    : []
}

/** An app with such an id could be taken for that host: access tokens of `/api/token` have an origin as their `client_id`. */
export const isNamedHost = (id: string): boolean => namedHosts().includes(id.toLowerCase())

function namedHosts(): string[] {
  const { origins, clientOrigins, accessCookie, rpId } = settings()
  const hostOf = (origin: string) => origin.replace(/^[^/]*\/\//, '').replace(/:\d+$/, '')
  return [...[...origins, ...clientOrigins].map(hostOf), ...(accessCookie ? [accessCookie.domain] : []), rpId]
}

/** The error that says a sentence beside a field. */
export const appFault = (field: string, text: string, cause?: unknown) =>
  new ApiError('invalid_request', { cause, fields: { [field]: { key: 'app_fault', text } } })

/** @throws ApiError invalid_request with the sentences of each field */
export function requireNoFaults(faults: AppFault[]): void {
  if (faults.length === 0) return
  const fields: Record<string, FieldError> = {}
  for (const { field, text } of faults) {
    const before = fields[field]?.key === 'app_fault' ? `${fields[field].text} ` : ''
    fields[field] = { key: 'app_fault', text: before + text }
  }
  throw new ApiError('invalid_request', { fields })
}
