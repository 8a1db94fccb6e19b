import { randomUUID } from 'node:crypto'
import { groupCreation } from '@/lib/auth/account'
import { entryOf } from '@/lib/auth/events/operators-log'
import type { SecurityEvent } from '@/lib/auth/events/security-log'
import { groupDeletion } from '@/lib/auth/operator/groups'
import type { Operator } from '@/lib/auth/operator/operator'
import { deleteCodes, unguarded } from '@/lib/auth/sessions/write'
import { digestOf } from '@/lib/auth/tokens/tokens'
import { inParts } from '@/lib/database/batches'
import { type Database, database, type Statements, transaction } from '@/lib/database/client'
import { type Api, type ApiSpec, columnsOfApi } from '../apps/api'
import { type AppWithSecrets, newSecret, unlistingOf } from '../apps/app'
import { iconStatement } from '../apps/icon'
import { endOfTrust, isOfApp } from '../apps/manage-apps'
import { endCodesFor, everyScope, forgetConsents, removedScopes } from '../apps/resources'
import { columnsOf, iconColumnOf } from '../apps/spec'
import { requireSigningKey } from '../tokens/signing-keys'
import type { Change, Standing } from './changes'
import type { FileApp, FileContent } from './read'

/** What a file makes of what stands. */
export interface Plan {
  standing: Standing
  /** How many files were applied before what stands was read; null: none */
  revision: number | null
  content: FileContent
  changes: Change[]
  /** The apps of the file of APPLY, which nothing else changes; null for another file */
  managedIds: string[] | null
}

interface Written {
  /** Those that were made, by the app's id */
  secrets: Record<string, string>
  /** Whom each deleted group had */
  members: Map<string, { userId: string }[]>
}

/** Writes the changes in one transaction, which fails if what stands has changed since it was read. */
export async function writeChanges(operator: Operator, plan: Plan): Promise<Written> {
  const { revision, changes, managedIds } = plan
  const rows = changedRows(plan)
  if (rows.added.length > 0) await requireSigningKey()
  // As `app delete` and `app change --no-trusted` do: before the transaction, which would hold up everybody.
  const ended = [...rows.deleted.map(({ id }) => id), ...rows.endsTrust]
  for (const id of ended) await deleteCodes(unguarded, isOfApp(id))
  const deletedGroups = namesOf(changes, 'group', 'delete')
  const db = await database()
  const results: Record<string, unknown> = await transaction(db, {
    turn:
      revision === null
        ? db.appliedFile.create({ data: { id: 1, revision: 1 }, select })
        : db.appliedFile.update({ where: { id: 1, revision }, data: { revision: { increment: 1 } }, select }),
    groups: namesOf(changes, 'group', 'add').map((name) => groupCreation(db, name)),
    ...appStatements(db, rows, managedIds),
    ...apiStatements(db, plan),
    unlisted: rows.deleted.map(({ id }) => unlistingOf(db, id)),
    log: inParts(entriesOf(operator, changes), rowsOfStatement).map((data) => db.operatorLog.createMany({ data })),
    ...groupDeletions(db, deletedGroups),
  })
  for (const identifier of namesOf(changes, 'api', 'delete')) await endCodesFor(identifier)
  const members = deletedGroups.map((name) => [name, results[`${name}: members`] as { userId: string }[]] as const)
  return { secrets: rows.secrets, members: new Map(members) }
}

export const namesOf = (changes: Change[], kind: Change['kind'], action: Change['action']): string[] =>
  changes.filter((change) => change.kind === kind && change.action === action).map(({ name }) => name)

const select = { id: true } as const

const rowsOfStatement = 500

type ChangedRows = ReturnType<typeof changedRows>

/** What the changes of apps write, and the secrets that they make. */
function changedRows({ standing, content: { apps = [] }, changes, managedIds }: Plan) {
  const idsOf = (action: Change['action']) => new Set(namesOf(changes, 'app', action))
  const [additions, renewals, deletions] = [idsOf('add'), idsOf('change'), idsOf('delete')]
  const secrets = new Map<string, string>()
  const hashOf = (app: FileApp) => {
    if (app.public || app.secretHash !== null) return app.secretHash
    const kept = standing.apps.get(app.id)?.secretHash ?? null
    if (kept !== null) return kept
    const secret = newSecret()
    secrets.set(app.id, secret)
    return digestOf(secret)
  }
  const added = apps
    .filter(({ id }) => additions.has(id))
    .map((app) => ({
      id: app.id,
      ...columnsOf(app),
      ...iconColumnOf(app),
      secretHash: hashOf(app),
      managed: managedIds !== null,
    }))
  // By id, so that two never wait for each other.
  const renewed = apps.filter(({ id }) => renewals.has(id)).sort((one, other) => (one.id < other.id ? -1 : 1))
  const updated = renewed.flatMap((app) => {
    const stands = standing.apps.get(app.id)
    if (!stands) return []
    const secretHash = hashOf(app)
    const data = {
      ...columnsOf(app),
      ...iconColumnOf(app),
      secretHash,
      ...(managedIds && { managed: true }),
      // The file's secret is the only one: neither the one before nor, of a public app, any.
      ...(secretHash !== stands.secretHash && { previousSecretHash: null, previousSecretUntil: null }),
    }
    return [{ app, stands, data, interimName: stands.name === app.name ? null : randomUUID() }]
  })
  return {
    added,
    icons: [...apps.filter(({ id }) => additions.has(id)), ...renewed],
    updated,
    deleted: [...standing.apps.values()].filter(({ id }) => deletions.has(id)),
    endsTrust: updated.filter(({ app, stands }) => stands.trusted && !app.trusted).map(({ app }) => app.id),
    // An id may be __proto__, which an assignment would lose.
    secrets: Object.fromEntries(secrets),
  }
}

/** In this order, because two apps may swap their names, and each name is one app's at any time. */
const appStatements = (
  db: Database,
  { added, icons, updated, deleted, endsTrust }: ChangedRows,
  managedIds: string[] | null,
) => ({
  deletions: deleted.map((app) => db.app.delete({ where: asRead(app), select })),
  interim: updated.flatMap(({ stands, interimName }) =>
    interimName === null ? [] : [db.app.update({ where: asRead(stands), data: { name: interimName }, select })],
  ),
  updates: updated.map(({ stands, data, interimName }) =>
    db.app.update({ where: { ...asRead(stands), ...(interimName && { name: interimName }) }, data, select }),
  ),
  trust: endsTrust.map((id) => endOfTrust(db, id)),
  additions: inParts(added, rowsOfStatement).map((data) => db.app.createMany({ data })),
  icons: icons.flatMap(({ id, icon }) => (icon === undefined ? [] : iconStatement(db, id, icon))),
  managed: managedIds
    ? [
        db.app.updateMany({ where: { managed: false, id: { in: managedIds } }, data: { managed: true } }),
        db.app.updateMany({ where: { managed: true, id: { notIn: managedIds } }, data: { managed: false } }),
      ]
    : [],
})

function apiStatements(db: Database, { standing: { apis: standing }, content: { apis = [] }, changes }: Plan) {
  const named = <A extends ApiSpec>(list: A[], action: Change['action']) => {
    const identifiers = new Set(namesOf(changes, 'api', action))
    return list.filter(({ identifier }) => identifiers.has(identifier))
  }
  const only = { identifier: true } as const
  const deleted = named([...standing.values()], 'delete')
  const updated = named(apis, 'change').flatMap((api) => {
    const stands = standing.get(api.identifier)
    return stands ? [{ api, stands }] : []
  })
  return {
    apiDeletions: deleted.map((api) => db.api.delete({ where: apiAsRead(api), select: only })),
    apiUpdates: updated.map(({ api, stands }) =>
      db.api.update({ where: apiAsRead(stands), data: columnsOfApi(api), select: only }),
    ),
    consents: [
      ...deleted.flatMap((api) => forgetConsents(db, api.identifier, everyScope(api))),
      ...updated.flatMap(({ api, stands }) => forgetConsents(db, api.identifier, removedScopes(stands, api))),
    ],
    apiAdditions: inParts(
      named(apis, 'add').map((api) => ({ identifier: api.identifier, ...columnsOfApi(api) })),
      rowsOfStatement,
    ).map((data) => db.api.createMany({ data })),
  }
}

/** A condition that the row has not changed since we read it */
const asRead = (app: AppWithSecrets) => ({
  id: app.id,
  ...columnsOf(app),
  secretHash: app.secretHash,
  managed: app.managed,
})

const apiAsRead = (api: Api) => ({ identifier: api.identifier, ...columnsOfApi(api) })

/**
 * The statements that delete groups, one group after another: what apps are told of a member's groups must not name one that
 * was deleted before.
 */
const groupDeletions = (db: Database, groups: string[]): Statements =>
  Object.fromEntries(
    groups.flatMap((group) =>
      Object.entries(groupDeletion(db, group)).map(([name, statement]) => [`${group}: ${name}`, statement]),
    ),
  )

/** Their rows of the operators' log. */
const entriesOf = (operator: Operator, changes: Change[]) =>
  changes.flatMap((change) => eventsOf(change).map((event) => entryOf(operator, event, subjectOf(change))))

export const subjectOf = ({ kind, name }: Change) => (kind === 'group' ? { group: name } : { app: name })

const events = {
  app: { add: 'app_registered', change: 'app_changed', delete: 'app_deleted' },
  api: { add: 'api_registered', change: 'api_changed', delete: 'api_deleted' },
} as const

/** What the logs say of a change; the deletion of a group writes its own. */
export const eventsOf = ({ kind, action, fields }: Change): SecurityEvent[] => {
  if (kind === 'group') return action === 'add' ? ['group_added'] : []
  return [events[kind][action], ...(fields.includes('secret') ? (['app_secret_changed'] as const) : [])]
}
