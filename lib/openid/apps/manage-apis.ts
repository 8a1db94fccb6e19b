import { logChange } from '@/lib/auth/events/operators-log'
import { type Operator, requireArea } from '@/lib/auth/operator/operator'
import { database, transaction } from '@/lib/database/client'
import { isConflict } from '@/lib/database/errors'
import {
  type Api,
  type ApiSpec,
  apiOf,
  columnsOfApi,
  faultsOfApi,
  identifierFaults,
  normalized,
  requireApi,
} from './api'
import { joinSpaced, registeredOnly } from './app'
import { endCodesFor, everyScope, forgetConsents, removedScopes } from './resources'
import { type AppFault, appFault, requireNoFaults } from './spec'

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
  requireTrustForApi(operator, api, given.groups)
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
export function requireTrustForApi(operator: Operator, api: Pick<Api, 'groups'>, groups = api.groups): void {
  if (api.groups.length > 0 && joinSpaced(api.groups) !== joinSpaced(groups)) requireArea(operator, 'trust')
}

/** No more tokens are issued for it; those that are out are good until they expire. @throws ApiError not_allowed */
export async function deleteApi(operator: Operator, api: Api): Promise<void> {
  const { identifier, groups } = api
  // Who deletes it can register it again for everybody.
  requireTrustForApi(operator, { groups }, [])
  const db = await database()
  const { deleted } = await transaction(db, {
    deleted: db.api.deleteMany({ where: { identifier } }),
    consents: forgetConsents(db, identifier, everyScope(api)),
  })
  await endCodesFor(identifier)
  if (deleted.count === 1) await logChange(operator, 'api_deleted', { app: identifier })
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
