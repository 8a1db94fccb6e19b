import { OAuthError } from '@/lib/api/oauth-errors'
import { type Grouped, isAdmitted } from '@/lib/auth/sessions/app-rules'
import { deleteCodes, unguarded } from '@/lib/auth/sessions/write'
import type { Database, Statement } from '@/lib/database/client'
import { hasWord, sql, statement, withoutWords } from '@/lib/database/sql'
import { type Api, lifetimeSeconds, readApis } from './api'
import { splitSpaced } from './app'

/* The APIs that tokens are for, as requests, grants and codes name them. */

const mayUse = ({ apps }: Pick<Api, 'apps'>, app: { id: string }) => apps === 'any' || apps.includes(app.id)

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

/* What an API or a scope leaves behind that is there no longer. */

/**
 * Takes scopes of an API out of what people have allowed, and deletes grants that allow nothing else. Whoever registers the API
 * or the scope again starts without anybody's consent.
 *
 * @param scopes the empty one is the API itself
 */
export function forgetConsents(db: Database, identifier: string, scopes: readonly string[]): Statement[] {
  if (scopes.length === 0) return []
  const after = withoutWords(
    sql`"scopes"`,
    scopes.map((scope) => wordOf(identifier, scope)),
  )
  return [
    statement(db)`UPDATE "Grant" SET "scopes" = ${after} WHERE ${after} <> "scopes"`,
    statement(db)`DELETE FROM "Grant" WHERE "scopes" = ''`,
  ]
}

export const everyScope = ({ scopes }: Pick<Api, 'scopes'>) => ['', ...Object.keys(scopes)]

export const removedScopes = (before: Pick<Api, 'scopes'>, after: Pick<Api, 'scopes'>) =>
  Object.keys(before.scopes).filter((scope) => !Object.hasOwn(after.scopes, scope))

/** Ends the codes and refresh tokens that name a deleted API. */
export const endCodesFor = (identifier: string) => deleteCodes(unguarded, hasWord(sql`c."scopes"`, wordOf(identifier)))
