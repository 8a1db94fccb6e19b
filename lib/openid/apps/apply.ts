import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type * as z from 'zod'
import { ApiError } from '@/lib/api/errors'
import type { appliedFile } from '@/lib/api/schemas'
import { groupCreation } from '@/lib/auth/account'
import { entryOf, writeLine } from '@/lib/auth/events/operators-log'
import type { SecurityEvent } from '@/lib/auth/events/security-log'
import { finishGroupDeletion, groupDeletion } from '@/lib/auth/operator/groups'
import { commandOperator, type Operator, requireArea, requireWrite } from '@/lib/auth/operator/operator'
import { endExcluded } from '@/lib/auth/sessions/app-rules'
import { deleteCodes, unguarded } from '@/lib/auth/sessions/write'
import { digestOf } from '@/lib/auth/tokens/tokens'
import { inParts } from '@/lib/database/batches'
import { type Database, database, type Statements, transaction } from '@/lib/database/client'
import { isConflict, isGone } from '@/lib/database/errors'
import { readRows, sql } from '@/lib/database/sql'
import { variable } from '@/lib/settings/settings'
import { requireSigningKey } from '../tokens/signing-keys'
import {
  type ApiSpec,
  columnsOfApi,
  endCodesFor,
  everyScope,
  forgetConsents,
  removedScopes,
  requireGroupTrust,
} from './api'
import { type AppWithSecrets, appOf, newSecret, registeredOnly, unlistingOf } from './app'
import {
  type Change,
  changesTo,
  contentOf,
  type FileApp,
  type FileContent,
  FileError,
  fileOf,
  readAppFile,
  type Standing,
} from './file'
import { iconStatement } from './icon'
import { endOfTrust, isOfApp, requireTrust } from './manage'
import { type Api, apiOf } from './resources'
import { appFault, columnsOf, iconColumnOf, idFaults } from './spec'

interface Options {
  /** Delete what the file does not name */
  prune?: boolean | undefined
  /** Only say what would change */
  check?: boolean | undefined
  /** The file is that of APPLY: its apps are changed by nothing else, and nobody would see a secret that it makes */
  managed?: boolean
}

type Applied = z.infer<typeof appliedFile>

/** Attempts before giving up: of so many files applied at once, each attempt lets one win. */
const mostAttempts = 20

/**
 * Makes apps and groups what the file says, in one transaction.
 *
 * What stands is read before the transaction, which fails unless it still stands: so what is written is what was compared, and
 * what the operator may do is decided by it.
 *
 * @throws FileError; ApiError managed_by_file, or not_allowed for a key without the area `trust` where a change needs it
 */
export async function applyFile(operator: Operator, content: FileContent, options: Options): Promise<Applied> {
  const db = await database()
  for (let attempt = 1; ; attempt++) {
    const read = await readStanding(db)
    const changes = changesTo(read.standing, content, options.prune ?? false)
    if (!options.check) requireTrustFor(operator, read.standing, content, changes)
    requireAllowed(read.standing, content, changes, options)
    const managedIds = options.managed ? (content.apps ?? []).map(({ id }) => id) : null
    const isManaged = managedIds === null || hasManaged(read.standing, managedIds)
    if (options.check || (changes.length === 0 && isManaged)) return { changes, secrets: {} }
    const written = await write(operator, db, read, content, changes, managedIds).catch((error: unknown) => {
      if (isOvertaken(error) && attempt < mostAttempts) return null
      throw error
    })
    if (written) {
      await finish(operator, changes, written.membersOf)
      return { changes, secrets: written.secrets }
    }
    // A random pause, so that files that collided do not collide again.
    await pause(Math.random() * 20 * attempt)
  }
}

interface Written {
  file: unknown
  prune?: boolean | undefined
  check?: boolean | undefined
}

/**
 * What the endpoint does and the command, which reads environment variables before.
 *
 * @throws ApiError invalid_request with the sentences of the file, and those of `applyFile`
 */
export async function applyWritten(operator: Operator, { file, prune, check }: Written): Promise<Applied> {
  if (!check) requireWrite(operator)
  try {
    return await applyFile(operator, contentOf(file, null), { prune, check })
  } catch (cause) {
    if (!(cause instanceof FileError)) throw cause
    throw appFault('file', cause.faults.join(' '), cause)
  }
}

/** What `dump` prints. */
export async function dump({ secrets = false } = {}) {
  return { file: fileOf(await standing(), { secrets }) }
}

/**
 * At a start: applies the file of APPLY, from whose apps everything else then keeps off. Without one, what it managed before is
 * like any other app again.
 *
 * @throws an Error with the sentences of `accounts apply`
 */
export async function applyAtStart(path: string | undefined): Promise<void> {
  if (path !== undefined) {
    await applyFile(commandOperator(), await readAppFile(path, variable), { managed: true })
    return
  }
  // In SQL, which a start has ready (lib/database/purge.ts).
  const managed = await readRows`SELECT 1 AS "found" FROM "App" a WHERE a."managed" LIMIT 1`
  if (managed.length === 0) return
  const db = await database()
  await db.app.updateMany({ where: { managed: true }, data: { managed: false } })
}

const standing = async (): Promise<Standing> => (await readStanding(await database())).standing

interface Read {
  standing: Standing
  /** How many files were applied before; null: none */
  revision: number | null
}

async function readStanding(db: Database): Promise<Read> {
  // First: what is read afterwards may be newer, which fails the transaction, and never older.
  const counter = await db.appliedFile.findUnique({ where: { id: 1 } })
  const groups = await db.group.findMany({ orderBy: { name: 'asc' } })
  const apps = await db.app.findMany({ where: registeredOnly, orderBy: { name: 'asc' } })
  const apis = await db.api.findMany({ orderBy: { identifier: 'asc' } })
  return {
    standing: { groups: groups.map(({ name }) => name), apps: apps.map(appOf), apis: apis.map(apiOf) },
    revision: counter?.revision ?? null,
  }
}

/** Checks rights against the diff, since only the diff is written. */
function requireTrustFor(
  operator: Operator,
  standing: Standing,
  { apps = [], apis = [] }: FileContent,
  changes: Change[],
): void {
  const deletedApis = namesOf(changes, 'api', 'delete')
  for (const stands of standing.apis) {
    const wanted = apis.find(({ identifier }) => identifier === stands.identifier)?.groups
    requireGroupTrust(operator, stands, deletedApis.includes(stands.identifier) ? [] : wanted)
  }
  const standingById = new Map(standing.apps.map((app) => [app.id, app]))
  const wantedById = new Map(apps.map((app) => [app.id, app]))
  for (const { name, fields } of changes) {
    const [stands, wanted] = [standingById.get(name), wantedById.get(name)]
    if (stands && wanted) requireTrust(operator, stands, wanted)
    // Whoever has an app's secret is the app, so a key gets and sets none of an app that exists.
    if (stands && wanted && operator.kind === 'key' && (fields.includes('secret') || (stands.public && !wanted.public)))
      throw new ApiError('not_allowed')
    else if (wanted?.trusted) requireArea(operator, 'trust')
  }
}

/** What only a comparison with what stands can show. */
function requireAllowed(
  standing: Standing,
  { apps = [], apis = [] }: FileContent,
  changes: Change[],
  { managed }: Options,
): void {
  const byId = new Map(standing.apps.map((app) => [app.id, app]))
  const changed = changes.filter(({ kind }) => kind === 'app')
  if (!managed && changed.some(({ name }) => byId.get(name)?.managed)) throw new ApiError('managed_by_file')
  const inFile = new Set(apps.map(({ id }) => id))
  const deleted = new Set(changed.filter(({ action }) => action === 'delete').map(({ name }) => name))
  const others = standing.apps.filter(({ id }) => !inFile.has(id) && !deleted.has(id))
  const ownerOf = new Map(others.map(({ name, id }) => [name, id]))
  const faults = apps.flatMap((app) => {
    const stands = byId.get(app.id)
    const owner = ownerOf.get(app.name)
    return [
      ...(stands ? [] : idFaults(app.id)),
      ...(owner === undefined
        ? []
        : [`The app ${app.id}: another app, ${owner}, has the name ${JSON.stringify(app.name)}. Choose another name.`]),
      ...(managed && getsSecret(app, stands)
        ? [`The app ${app.id} would get a secret that nobody sees. Give it one: "secret": {"env": "NAME"}.`]
        : []),
    ]
  })
  const isThere = (id: string) => inFile.has(id) || (byId.has(id) && !deleted.has(id))
  for (const { identifier, apps: named } of apis)
    if (named !== 'any')
      for (const id of named)
        if (!isThere(id)) faults.push(`The API ${identifier}: there is no app with the id ${JSON.stringify(id)}.`)
  if (faults.length > 0) throw new FileError(faults)
}

const getsSecret = (app: FileApp, stands: AppWithSecrets | undefined) =>
  !app.public && app.secretHash === null && (stands?.secretHash ?? null) === null

const hasManaged = ({ apps }: Standing, ids: string[]) => {
  const inFile = new Set(ids)
  return apps.every(({ id, managed }) => managed === inFile.has(id))
}

/** Whether something has changed since it was read. */
const isOvertaken = (error: unknown) => isConflict(error) || isGone(error)

/** A condition that the row has not changed since we read it */
const asRead = (app: AppWithSecrets) => ({
  id: app.id,
  ...columnsOf(app),
  secretHash: app.secretHash,
  managed: app.managed,
})

const apiAsRead = (api: Api) => ({ identifier: api.identifier, ...columnsOfApi(api) })

const select = { id: true } as const

const rowsOfStatement = 500

interface Result {
  secrets: Record<string, string>
  membersOf: (deletedGroup: string) => { userId: string }[]
}

async function write(
  operator: Operator,
  db: Database,
  { standing, revision }: Read,
  content: FileContent,
  changes: Change[],
  managedIds: string[] | null,
): Promise<Result> {
  const rows = changedRows(standing, content, changes, managedIds)
  if (rows.added.length > 0) await requireSigningKey()
  // As `app delete` and `app change --no-trusted` do: before the transaction, which would hold up everybody.
  const ended = [...rows.deleted.map(({ id }) => id), ...rows.endsTrust]
  for (const id of ended) await deleteCodes(unguarded, isOfApp(id))
  const deletedGroups = namesOf(changes, 'group', 'delete')
  const results = await transaction(db, {
    turn:
      revision === null
        ? db.appliedFile.create({ data: { id: 1, revision: 1 }, select })
        : db.appliedFile.update({ where: { id: 1, revision }, data: { revision: { increment: 1 } }, select }),
    groups: namesOf(changes, 'group', 'add').map((name) => groupCreation(db, name)),
    ...appStatements(db, rows, managedIds),
    ...apiStatements(db, standing, content, changes),
    unlisted: rows.deleted.map(({ id }) => unlistingOf(db, id)),
    log: inParts(entriesOf(operator, changes), rowsOfStatement).map((data) => db.operatorLog.createMany({ data })),
    ...Object.assign({}, ...deletedGroups.map((name) => prefixed(name, groupDeletion(db, name)))),
  })
  for (const identifier of namesOf(changes, 'api', 'delete')) await endCodesFor(identifier)
  return { secrets: rows.secrets, membersOf: (name) => results[`${name}: members`] as { userId: string }[] }
}

const namesOf = (changes: Change[], kind: Change['kind'], action: Change['action']): string[] =>
  changes.filter((change) => change.kind === kind && change.action === action).map(({ name }) => name)

/** The statements of one group, under keys that are apart from those of other groups. */
const prefixed = (group: string, statements: Statements): Statements =>
  Object.fromEntries(Object.entries(statements).map(([key, statement]) => [`${group}: ${key}`, statement]))

type ChangedRows = ReturnType<typeof changedRows>

/** What the changes of apps write, and the secrets that they make. */
function changedRows(standing: Standing, { apps = [] }: FileContent, changes: Change[], managedIds: string[] | null) {
  const byId = new Map(standing.apps.map((app) => [app.id, app]))
  const idsOf = (action: Change['action']) => new Set(namesOf(changes, 'app', action))
  const [additions, renewals, deletions] = [idsOf('add'), idsOf('change'), idsOf('delete')]
  const secrets = new Map<string, string>()
  const hashOf = (app: FileApp) => {
    if (app.public || app.secretHash !== null) return app.secretHash
    const kept = byId.get(app.id)?.secretHash ?? null
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
  const updated = renewed.map((app) => {
    const stands = byId.get(app.id) as AppWithSecrets
    const secretHash = hashOf(app)
    const data = {
      ...columnsOf(app),
      ...iconColumnOf(app),
      secretHash,
      ...(managedIds && { managed: true }),
      // The file's secret is the only one: neither the one before nor, of a public app, any.
      ...(secretHash !== stands.secretHash && { previousSecretHash: null, previousSecretUntil: null }),
    }
    return { app, stands, data, interimName: stands.name === app.name ? null : randomUUID() }
  })
  return {
    added,
    icons: [...apps.filter(({ id }) => additions.has(id)), ...renewed],
    updated,
    deleted: standing.apps.filter(({ id }) => deletions.has(id)),
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

function apiStatements(db: Database, { apis: standing }: Standing, { apis = [] }: FileContent, changes: Change[]) {
  const named = <A extends ApiSpec>(list: A[], action: Change['action']) => {
    const identifiers = new Set(namesOf(changes, 'api', action))
    return list.filter(({ identifier }) => identifiers.has(identifier))
  }
  const only = { identifier: true } as const
  const standsOf = (api: ApiSpec) => standing.find(({ identifier }) => identifier === api.identifier) as Api
  return {
    apiDeletions: named(standing, 'delete').map((api) => db.api.delete({ where: apiAsRead(api), select: only })),
    apiUpdates: named(apis, 'change').map((api) =>
      db.api.update({ where: apiAsRead(standsOf(api)), data: columnsOfApi(api), select: only }),
    ),
    consents: [
      ...named(standing, 'delete').flatMap((api) => forgetConsents(db, api.identifier, everyScope(api))),
      ...named(apis, 'change').flatMap((api) => forgetConsents(db, api.identifier, removedScopes(standsOf(api), api))),
    ],
    apiAdditions: inParts(
      named(apis, 'add').map((api) => ({ identifier: api.identifier, ...columnsOfApi(api) })),
      rowsOfStatement,
    ).map((data) => db.api.createMany({ data })),
  }
}

/** Their rows of the operators' log. */
const entriesOf = (operator: Operator, changes: Change[]) =>
  changes.flatMap((change) => eventsOf(change).map((event) => entryOf(operator, event, subjectOf(change))))

const subjectOf = ({ kind, name }: Change) => (kind === 'group' ? { group: name } : { app: name })

const events = {
  app: { add: 'app_registered', change: 'app_changed', delete: 'app_deleted' },
  api: { add: 'api_registered', change: 'api_changed', delete: 'api_deleted' },
} as const

/** What the logs say of a change; the deletion of a group writes its own. */
const eventsOf = ({ kind, action, fields }: Change): SecurityEvent[] => {
  if (kind === 'group') return action === 'add' ? ['group_added'] : []
  return [events[kind][action], ...(fields.includes('secret') ? (['app_secret_changed'] as const) : [])]
}

/** What follows a change of apps and groups, as after each command. */
async function finish(operator: Operator, changes: Change[], membersOf: Result['membersOf']) {
  const rules = changes.filter(
    ({ kind, fields }) => kind === 'app' && (fields.includes('groups') || fields.includes('requirePasskey')),
  )
  for (const { name } of rules) await endExcluded(sql`g."appId" = ${name}`)
  for (const change of changes) {
    const { kind, action, name } = change
    for (const event of eventsOf(change)) writeLine(operator, event, subjectOf(change))
    if (kind === 'group' && action === 'delete') await finishGroupDeletion(operator, name, membersOf(name))
  }
}
