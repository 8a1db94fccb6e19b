import { ApiError } from '@/lib/api/errors'
import { limits } from '@/lib/api/limits'
import { logChange } from '@/lib/auth/events/operators-log'
import { type Operator, requireArea } from '@/lib/auth/operator/operator'
import { deleteCodes, unguarded } from '@/lib/auth/sessions/write'
import { type Database, database, type Statement, transaction } from '@/lib/database/client'
import { isConflict } from '@/lib/database/errors'
import { hasWord, sql, statement, withoutWords } from '@/lib/database/sql'
import { settings } from '@/lib/settings/settings'
import { joinSpaced, knownScopes, registeredOnly } from './app'
import { isCustomScheme, redirectUriFault } from './redirect-uris'
import { type Api, apiOf, lifetimeSeconds, readApis, spanOf, wordOf } from './resources'
import { type AppFault, appFault, groupNameFaults, nameFaults, requireNoFaults } from './spec'

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

/** Apps that are not there: a list with a misspelled id would silently keep its app out. */
async function unknownAppFaults({ apps }: Pick<ApiSpec, 'apps'>): Promise<AppFault[]> {
  if (apps === 'any' || apps.length === 0) return []
  const db = await database()
  const found = await db.app.findMany({ where: { id: { in: apps }, ...registeredOnly }, select: { id: true } })
  const known = new Set(found.map(({ id }) => id))
  return apps
    .filter((id) => !known.has(id))
    .map((id) => ({ field: 'apps', text: `There is no app with the id ${JSON.stringify(id)}.` }))
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

export async function addApi(operator: Operator, given: ApiSpec): Promise<Api> {
  requireNoFaults([
    ...identifierFaults(given.identifier).map((text) => ({ field: 'identifier', text })),
    ...faultsOfApi(given),
    ...(await unknownAppFaults(given)),
  ])
  const spec = normalized(given)
  const db = await database()
  const row = await db.api
    .create({ data: { identifier: spec.identifier, ...columnsOfApi(spec) } })
    .catch((cause: unknown) => {
      if (!isConflict(cause)) throw cause
      throw appFault('identifier', 'Another API has this identifier.')
    })
  await logChange(operator, 'api_registered', { app: spec.identifier })
  return apiOf(row)
}

/** Writes only what is given, so that concurrent changes keep each other's. @throws ApiError */
export async function changeApi(operator: Operator, api: Api, given: Partial<ApiSpec>): Promise<Api> {
  requireGroupTrust(operator, api, given.groups)
  requireNoFaults([...faultsOfApi({ ...api, ...given }), ...(await unknownAppFaults({ apps: given.apps ?? [] }))])
  const next = normalized({ ...api, ...given })
  const [before, after] = [columnsOfApi(api), columnsOfApi(next)]
  const columns = Object.keys(before) as (keyof typeof before)[]
  const changed = columns.filter((column) => before[column] !== after[column])
  if (changed.length === 0) return api
  const db = await database()
  const { updated } = await transaction(db, {
    updated: db.api.updateMany({
      where: {
        identifier: api.identifier,
        // A key without `trust` must not undo what became limited meanwhile.
        ...(operator.kind === 'key' && { groups: before.groups }),
      },
      data: Object.fromEntries(changed.map((column) => [column, after[column]])),
    }),
    consents: forgetConsents(db, api.identifier, removedScopes(api, next)),
  })
  const now = await requireApi(api.identifier)
  if (updated.count === 0) throw appFault('api', 'The API was changed meanwhile. Try again.')
  await logChange(operator, 'api_changed', { app: api.identifier })
  return now
}

/** Whoever opens an API to more people takes the area `trust`, as with the groups of an app. */
export function requireGroupTrust(operator: Operator, api: Pick<Api, 'groups'>, groups = api.groups): void {
  if (api.groups.length > 0 && joinSpaced(api.groups) !== joinSpaced(groups)) requireArea(operator, 'trust')
}

/** No more tokens are issued for it; those that are out are good until they expire. @throws ApiError not_allowed */
export async function deleteApi(operator: Operator, api: Api): Promise<void> {
  const { identifier, groups } = api
  // Who deletes it can register it again for everybody.
  requireGroupTrust(operator, { groups }, [])
  const db = await database()
  const { deleted } = await transaction(db, {
    deleted: db.api.deleteMany({ where: { identifier } }),
    consents: forgetConsents(db, identifier, everyScope(api)),
  })
  await endCodesFor(identifier)
  if (deleted.count === 1) await logChange(operator, 'api_deleted', { app: identifier })
}
