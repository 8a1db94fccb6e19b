import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '@/lib/api/errors'
import { groupCreation } from '@/lib/auth/accounts/account'
import type { SecurityEvent } from '@/lib/auth/audit/security-log'
import { finishGroupDeletion, groupDeletion } from '@/lib/auth/operator/groups'
import {
  commandOperator,
  entryOf,
  type Operator,
  requireArea,
  requireWrite,
  writeLine,
} from '@/lib/auth/operator/operator'
import { deleteCodes } from '@/lib/auth/sessions/delete-in-batches'
import { endExcluded } from '@/lib/auth/sessions/revoke'
import { unguarded } from '@/lib/auth/sessions/write'
import { inParts } from '@/lib/database/batches'
import { type Database, database } from '@/lib/database/client'
import { isConflict, isGone } from '@/lib/database/errors'
import { sql } from '@/lib/database/fragments'
import { type Statements, transaction } from '@/lib/database/transaction'
import { variable } from '@/lib/settings/settings'
import { requireSigningKey } from '../keys/signing-keys'
import { type AppWithSecrets, appOf, digestOf, newSecret } from './app'
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
import { columnsOf, endOfTrust, idFaults, isOfApp, requireTrust } from './manage'

interface Options {
  /** Delete what the file does not name */
  prune?: boolean | undefined
  /** Only say what would change */
  check?: boolean | undefined
  /** The file is that of APPLY: its apps are changed by nothing else, and nobody would see a secret that it makes */
  managed?: boolean
}

export interface Applied {
  changes: Change[]
  /** Those that were made, by the app's id; they are shown this once */
  secrets: Record<string, string>
}

/** Each loser begins anew with what the winner has written, so only that many at once can wear one out. */
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
    // Of several that start at once, not all come back at once.
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
    throw new ApiError('invalid_request', {
      cause,
      fields: { file: { key: 'app_fault', text: cause.faults.join(' ') } },
    })
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
  const db = await database()
  const managed = await db.app.findFirst({ where: { managed: true }, select })
  if (managed) await db.app.updateMany({ where: { managed: true }, data: { managed: false } })
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
  const apps = await db.app.findMany({ orderBy: { name: 'asc' } })
  return {
    standing: { groups: groups.map(({ name }) => name), apps: apps.map(appOf) },
    revision: counter?.revision ?? null,
  }
}

/** Of what the diff changes, which is what is written. */
function requireTrustFor(operator: Operator, standing: Standing, { apps = [] }: FileContent, changes: Change[]): void {
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
function requireAllowed(standing: Standing, { apps = [] }: FileContent, changes: Change[], { managed }: Options): void {
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

/** A row that is as it was read. */
const asRead = (app: AppWithSecrets) => ({
  id: app.id,
  ...columnsOf(app),
  secretHash: app.secretHash,
  managed: app.managed,
})

const select = { id: true } as const

const rowsOfStatement = 500

interface Result {
  secrets: Record<string, string>
  /** Of a group that was deleted */
  membersOf: (name: string) => { userId: string }[]
}

async function write(
  operator: Operator,
  db: Database,
  { standing, revision }: Read,
  { apps = [] }: FileContent,
  changes: Change[],
  managedIds: string[] | null,
): Promise<Result> {
  const byId = new Map(standing.apps.map((app) => [app.id, app]))
  const namesOf = (kind: Change['kind'], action: Change['action']) =>
    new Set(changes.filter((change) => change.kind === kind && change.action === action).map(({ name }) => name))
  const [added, changed, deleted] = [namesOf('app', 'add'), namesOf('app', 'change'), namesOf('app', 'delete')]
  const secrets = new Map<string, string>()
  const hashOf = (app: FileApp) => {
    if (app.public || app.secretHash !== null) return app.secretHash
    const kept = byId.get(app.id)?.secretHash ?? null
    if (kept !== null) return kept
    const secret = newSecret()
    secrets.set(app.id, secret)
    return digestOf(secret)
  }
  const rows = apps
    .filter(({ id }) => added.has(id))
    .map((app) => ({ id: app.id, ...columnsOf(app), secretHash: hashOf(app), managed: managedIds !== null }))
  // By id, so that two never wait for each other.
  const renewed = apps.filter(({ id }) => changed.has(id)).sort((one, other) => (one.id < other.id ? -1 : 1))
  const updates = renewed.flatMap((app) => {
    const stands = byId.get(app.id) as AppWithSecrets
    const secretHash = hashOf(app)
    const isNew = secretHash !== stands.secretHash
    const data = {
      ...columnsOf(app),
      secretHash,
      ...(managedIds && { managed: true }),
      // The file's secret is the only one: neither the one before nor, of a public app, any.
      ...(isNew && { previousSecretHash: null, previousSecretUntil: null }),
    }
    return [{ app, stands, data, interimName: stands.name === app.name ? null : randomUUID() }]
  })
  const endsTrust = updates.filter(({ app, stands }) => stands.trusted && !app.trusted).map(({ app }) => app.id)
  if (rows.length > 0) await requireSigningKey()
  // As `app delete` and `app change --no-trusted` do: before the transaction, which would hold up everybody.
  for (const id of [...deleted, ...endsTrust]) await deleteCodes(unguarded, isOfApp(id))
  const statements: Statements = {
    turn:
      revision === null
        ? db.appliedFile.create({ data: { id: 1, revision: 1 }, select })
        : db.appliedFile.update({ where: { id: 1, revision }, data: { revision: { increment: 1 } }, select }),
    groups: [...namesOf('group', 'add')].map((name) => groupCreation(db, name)),
    deletions: standing.apps
      .filter(({ id }) => deleted.has(id))
      .map((app) => db.app.delete({ where: asRead(app), select })),
    // Two apps may swap their names, and each name is one app's at any time.
    interim: updates.flatMap(({ stands, interimName }) =>
      interimName === null ? [] : [db.app.update({ where: asRead(stands), data: { name: interimName }, select })],
    ),
    updates: updates.map(({ stands, data, interimName }) =>
      db.app.update({ where: { ...asRead(stands), ...(interimName && { name: interimName }) }, data, select }),
    ),
    trust: endsTrust.map((id) => endOfTrust(db, id)),
    additions: inParts(rows, rowsOfStatement).map((data) => db.app.createMany({ data })),
    managed: managedIds
      ? [
          db.app.updateMany({ where: { managed: false, id: { in: managedIds } }, data: { managed: true } }),
          db.app.updateMany({ where: { managed: true, id: { notIn: managedIds } }, data: { managed: false } }),
        ]
      : [],
  }
  const entries = changes.flatMap((change) =>
    eventsOf(change).map((event) => entryOf(operator, event, { [change.kind]: change.name })),
  )
  statements.log = inParts(entries, rowsOfStatement).map((data) => db.operatorLog.createMany({ data }))
  for (const name of namesOf('group', 'delete'))
    for (const [key, statement] of Object.entries(groupDeletion(db, name))) statements[`${key} of ${name}`] = statement
  const results = await transaction(db, statements)
  return {
    // An id may be __proto__, which an assignment would lose.
    secrets: Object.fromEntries(secrets),
    membersOf: (name) => results[`members of ${name}`] as { userId: string }[],
  }
}

const events = { add: 'app_registered', change: 'app_changed', delete: 'app_deleted' } as const

/** What the logs say of a change; the deletion of a group writes its own. */
const eventsOf = ({ kind, action, fields }: Change): SecurityEvent[] => {
  if (kind === 'group') return action === 'add' ? ['group_added'] : []
  return [events[action], ...(fields.includes('secret') ? (['app_secret_changed'] as const) : [])]
}

/** What follows a change of apps and groups, as after each command. */
async function finish(operator: Operator, changes: Change[], membersOf: Result['membersOf']) {
  const rules = changes.filter(({ fields }) => fields.includes('groups') || fields.includes('requirePasskey'))
  for (const { name } of rules) await endExcluded(sql`g."appId" = ${name}`)
  for (const change of changes) {
    const { kind, action, name } = change
    for (const event of eventsOf(change)) writeLine(operator, event, { [kind]: name })
    if (kind === 'group' && action === 'delete') await finishGroupDeletion(operator, name, membersOf(name))
  }
}
