import { OAuthError } from '@/lib/api/oauth-errors'
import { millisecondsOf } from '@/lib/api/schemas/operator'
import { type Grouped, isAdmitted } from '@/lib/auth/sessions/app-rules'
import { isoTime, type Time } from '@/lib/auth/time'
import { list, readRows } from '@/lib/database/sql'
import { splitSpaced } from './app'

/* The APIs that tokens are for, as requests, grants and codes name them. What operators say about an API is in api.ts. */

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

interface ApiRow {
  identifier: string
  name: string
  scopes: string
  apps: string | null
  groups: string
  lifetime: number | bigint
  createdAt: Time
}

export const apiOf = (row: ApiRow): Api => ({
  identifier: row.identifier,
  name: row.name,
  scopes: JSON.parse(row.scopes),
  apps: row.apps === null ? 'any' : splitSpaced(row.apps),
  groups: splitSpaced(row.groups),
  lifetime: spanOf(Number(row.lifetime)),
  createdAt: isoTime(row.createdAt),
})

export const lifetimeSeconds = ({ lifetime }: Pick<Api, 'lifetime'>) => millisecondsOf(lifetime) / 1000

export const spanOf = (seconds: number) =>
  seconds % 3600 === 0 ? `${seconds / 3600}h` : seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`

const mayUse = ({ apps }: Pick<Api, 'apps'>, app: { id: string }) => apps === 'any' || apps.includes(app.id)

/** Empty without an identifier, and without a statement then. */
export async function readApis(identifiers: readonly string[]): Promise<Api[]> {
  if (identifiers.length === 0) return []
  const rows = await readRows<ApiRow>`
    SELECT "identifier", "name", "scopes", "apps", "groups", "lifetime", "createdAt" FROM "Api"
    WHERE "identifier" IN (${list(identifiers)})`
  return rows.map(apiOf)
}

/**
 * What an app may do at an API is, among the scopes of a grant and of a code, a word `<identifier>#<scope>`, and
 * `<identifier>#` for the API itself. An identifier has no fragment and a scope no `#`, so a word is read in one way.
 */
export const wordOf = (identifier: string, scope = '') => `${identifier}#${scope}`

/** The API that an authorization request names, and those of the requested scopes that are the API's. */
export interface RequestedApi {
  api: Api
  scopes: string[]
}

/** Finds the APIs that an app asks for, each with those of the scopes that it has; null if one is none that it may use. */
export async function findRequestedApis(
  resources: readonly string[],
  app: { id: string },
  scopes: readonly string[],
): Promise<RequestedApi[] | null> {
  const apis = await findUsableApis(resources, app)
  if (!apis) return null
  return apis.map((api) => ({ api, scopes: Object.keys(api.scopes).filter((scope) => scopes.includes(scope)) }))
}

export const wordsOf = (requested: readonly RequestedApi[]): string[] =>
  requested.flatMap(({ api, scopes }) => [
    wordOf(api.identifier),
    ...scopes.map((scope) => wordOf(api.identifier, scope)),
  ])

/** Takes the scopes that are no API's. */
export const ownScopes = (words: readonly string[]) => words.filter((word) => !word.includes('#'))

/** Lists the APIs that the words name, in their order. */
export const identifiersIn = (words: readonly string[]): string[] =>
  words.filter((word) => word.endsWith('#')).map((word) => word.slice(0, -1))

/** Takes the scopes of one API among the words. */
export const scopesAt = (identifier: string, words: readonly string[]): string[] =>
  words.filter((word) => word.startsWith(wordOf(identifier)) && !word.endsWith('#')).map(scopeOfWord)

const scopeOfWord = (word: string) => word.slice(word.indexOf('#') + 1)

/** Keeps the API itself, and of its scopes those that are wanted. */
export const isWantedAtApi = (word: string, wanted: readonly string[]) =>
  word.endsWith('#') || (word.includes('#') && wanted.includes(scopeOfWord(word)))

/** More than anybody needs, and few enough for a statement. */
const mostResources = 10

/**
 * The APIs of these `resource` parameters (RFC 8707 section 2), in their order.
 *
 * @returns null if one is no API that the app may use
 */
export async function findUsableApis(resources: readonly string[], app: { id: string }): Promise<Api[] | null> {
  const wanted = [...new Set(resources)]
  // The databases take no NUL; no identifier has anything but visible ASCII.
  if (wanted.length > mostResources || wanted.some((one) => !/^[\x21-\x7e]{1,1024}$/.test(one))) return null
  const found = new Map((await readApis(wanted)).map((api) => [api.identifier, api]))
  const apis = wanted.flatMap((one) => found.get(one) ?? [])
  return apis.length === wanted.length && apis.every((api) => mayUse(api, app)) ? apis : null
}

/** What an access token is for, in place of userinfo. */
export interface Target {
  identifier: string
  scopes: string[]
  lifetimeSeconds: number
}

export const targetAt = (api: Api, scopes: readonly string[]): Target => ({
  identifier: api.identifier,
  // An operator may have taken a scope away since.
  scopes: scopes.filter((scope) => Object.hasOwn(api.scopes, scope)),
  lifetimeSeconds: lifetimeSeconds(api),
})

/** The `resource` parameters of a form: one, since a token is for one API. @throws OAuthError invalid_target */
export function soleResource(given: string | undefined): string | undefined {
  const [resource, ...others] = splitSpaced(given ?? '')
  if (others.length > 0) throw new OAuthError('invalid_target', 'A token is for one API: send one resource.')
  return resource
}

interface Granted {
  appId: string
  person: Grouped
  scopes: readonly string[]
}

/**
 * The API that a token is for: the one that the request names of those that were granted, or the first of them. Null where none
 * was.
 *
 * @throws OAuthError invalid_target; invalid_grant if the API is not for this person, or no longer
 */
export async function targetOf(issued: Granted, given: string | undefined): Promise<Target | null> {
  const resource = soleResource(given)
  const granted = identifiersIn(issued.scopes)
  const identifier = resource ?? granted[0]
  if (identifier === undefined) return null
  if (!granted.includes(identifier))
    throw new OAuthError('invalid_target', 'The resource is none that the authorization request named.')
  const [api] = (await findUsableApis([identifier], { id: issued.appId })) ?? []
  if (!api) throw new OAuthError('invalid_target', 'The resource is no API that this app may use any more.')
  if (!isAdmitted(api, issued.person))
    throw new OAuthError('invalid_grant', 'The account is in none of the groups that this API is for.')
  return targetAt(api, scopesAt(identifier, issued.scopes))
}

/** Puts the words of one API first, which is then the one of a request that names none. */
export function withFirst(words: readonly string[], { identifier }: Pick<Target, 'identifier'>): string[] {
  const isFirst = (word: string) => word.startsWith(wordOf(identifier))
  const own = ownScopes(words)
  const others = words.filter((word) => word.includes('#') && !isFirst(word))
  return [...own, ...words.filter(isFirst), ...others]
}
