import { ApiError } from '@/lib/api/errors'
import { limits } from '@/lib/api/limits'
import { millisecondsOf } from '@/lib/api/schemas/operator'
import { isoTime } from '@/lib/auth/time'
import { database } from '@/lib/database/client'
import { list, readRows, type SqlRow } from '@/lib/database/sql'
import { settings } from '@/lib/settings/settings'
import { joinSpaced, knownScopes, splitSpaced } from './app'
import { isCustomScheme, redirectUriFault } from './redirect-uris'
import { type AppFault, groupNameFaults, nameFaults } from './spec'

/** A service that takes access tokens of apps, for people or for the app itself, as operators see it. */
export interface Api {
  /** An absolute URI, the `aud` of its tokens (RFC 8707 section 2) */
  identifier: string
  name: string
  /** What each lets an app do, in words for people */
  scopes: Record<string, string>
  /** The ids of the apps that may ask for tokens */
  apps: 'any' | string[]
  /** Apps get tokens only for members of one of these; without any, for everybody */
  groups: string[]
  /** How long a token is good, such as `15m` */
  lifetime: string
  createdAt: string
}

export const apiOf = (row: SqlRow<'Api'>): Api => ({
  identifier: row.identifier,
  name: row.name,
  scopes: JSON.parse(row.scopes),
  apps: row.apps === null ? 'any' : splitSpaced(row.apps),
  groups: splitSpaced(row.groups),
  lifetime: spanOf(row.lifetime),
  createdAt: isoTime(row.createdAt),
})

export const lifetimeSeconds = ({ lifetime }: Pick<Api, 'lifetime'>) => millisecondsOf(lifetime) / 1000

const spanOf = (seconds: number) =>
  seconds % 3600 === 0 ? `${seconds / 3600}h` : seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`

/** Empty without an identifier, and without a statement then. */
export async function readApis(identifiers: readonly string[]): Promise<Api[]> {
  if (identifiers.length === 0) return []
  const rows = await readRows<SqlRow<'Api'>>`
    SELECT "identifier", "name", "scopes", "apps", "groups", "lifetime", "createdAt" FROM "Api"
    WHERE "identifier" IN (${list(identifiers)})`
  return rows.map(apiOf)
}

export async function listApis(): Promise<Api[]> {
  const db = await database()
  return (await db.api.findMany({ orderBy: [{ name: 'asc' }, { identifier: 'asc' }] })).map(apiOf)
}

/** @throws ApiError not_found */
export async function requireApi(identifier: string): Promise<Api> {
  const [api] = await readApis([identifier])
  if (!api) throw new ApiError('not_found')
  return api
}

/* What an operator says about an API. */

export type ApiSpec = Omit<Api, 'createdAt'>

export const apiDefaults: Omit<ApiSpec, 'identifier' | 'name'> = { scopes: {}, apps: [], groups: [], lifetime: '15m' }

export const columnsOfApi = (spec: ApiSpec) => ({
  name: spec.name,
  scopes: JSON.stringify(spec.scopes),
  apps: spec.apps === 'any' ? null : joinSpaced(spec.apps),
  groups: joinSpaced(spec.groups),
  lifetime: lifetimeSeconds(spec),
})

/** One spelling of a list and of a lifetime, so that a file that says the same changes nothing. */
export const normalized = <S extends ApiSpec>(spec: S): S => ({
  ...spec,
  apps: spec.apps === 'any' ? 'any' : [...new Set(spec.apps)],
  groups: [...new Set(spec.groups)],
  lifetime: spanOf(lifetimeSeconds(spec)),
})

const scopeName = /^[A-Za-z0-9.:_/-]{1,64}$/
const mostScopes = 50

/** A sentence for each fault; those of the identifier are `identifierFaults()`: a change keeps it. */
export function faultsOfApi({ name, scopes, apps, groups, lifetime }: ApiSpec): AppFault[] {
  const names = Object.keys(scopes)
  const seconds = lifetimeSeconds({ lifetime })
  const scopeFaults = [
    ...(names.length > mostScopes ? [`An API has at most ${mostScopes} scopes.`] : []),
    ...names
      .filter((scope) => !scopeName.test(scope))
      .map((scope) => `The scope ${JSON.stringify(scope)} must be 1 to 64 letters, digits and . : _ - /`),
    ...names
      .filter((scope) => knownScopes.some((known) => known === scope))
      .map((scope) => `The scope ${scope} is one of OpenID Connect. Choose another name.`),
    ...Object.entries(scopes)
      .filter(([, sentence]) => nameFaults(sentence, limits.scopeSentence).length > 0)
      .map(
        ([scope]) =>
          `Say in 1 to ${limits.scopeSentence} readable characters what ${scope} lets an app do, such as "Read your notes".`,
      ),
  ]
  return [
    ...nameFaults(name).map((text) => ({ field: 'name', text })),
    ...scopeFaults.map((text) => ({ field: 'scopes', text })),
    // The keys that verify tokens are published for two hours after the last that they signed.
    ...(seconds < 60 || seconds > 3600
      ? [{ field: 'lifetime', text: 'A token of an API is good for 1m to 1h, such as 15m.' }]
      : []),
    ...(apps === 'any' || apps.length <= limits.adminPage ? [] : [{ field: 'apps', text: 'Name fewer apps, or any.' }]),
    ...groups.flatMap(groupNameFaults).map((text) => ({ field: 'groups', text })),
  ]
}

export function identifierFaults(identifier: string): string[] {
  const about = (reason: string) => [`The identifier ${JSON.stringify(identifier)} ${reason}.`]
  if (!URL.canParse(identifier)) return about('must be absolute, such as https://api.example.com')
  const reason = redirectUriFault(identifier)
  if (reason !== null) return about(reason)
  if (isCustomScheme(identifier)) return about('must be https, such as https://api.example.com')
  // Userinfo takes tokens for the issuer, and apps at these origins take those of `/api/token`, which has their origin as `aud`.
  const { origins, clientOrigins, accessCookie } = settings()
  const taken = [...origins, ...clientOrigins, ...(accessCookie?.origins ?? [])]
  return taken.includes(identifier.replace(/\/$/, ''))
    ? about('is an origin that the settings name, so tokens could be mistaken for each other. Name the API by a path')
    : []
}
