import { setTimeout as pause } from 'node:timers/promises'
import type * as z from 'zod'
import { ApiError } from '@/lib/api/errors'
import type { appliedFile } from '@/lib/api/schemas'
import { writeLine } from '@/lib/auth/events/operators-log'
import { finishGroupDeletion } from '@/lib/auth/operator/groups'
import { commandOperator, type Operator, requireArea, requireWrite } from '@/lib/auth/operator/operator'
import { endExcluded } from '@/lib/auth/sessions/app-rules'
import { database } from '@/lib/database/client'
import { isConflict, isGone } from '@/lib/database/errors'
import { readRows, sql } from '@/lib/database/sql'
import { variable } from '@/lib/settings/settings'
import { apiOf } from '../apps/api'
import { type AppWithSecrets, appOf, registeredOnly } from '../apps/app'
import { requireTrustForApi } from '../apps/manage-apis'
import { requireTrustForApp } from '../apps/manage-apps'
import { appFault, idFaults } from '../apps/spec'
import { type Change, changesTo, fileOf } from './changes'
import { FileError } from './json'
import { contentOf, type FileApp, type FileContent, readAppFile } from './read'
import { eventsOf, namesOf, type Plan, subjectOf, writeChanges } from './write-changes'

interface Options {
  /** Delete what the file does not name */
  prune?: boolean | undefined
  /** Only say what would change */
  check?: boolean | undefined
  /** The file is that of APPLY: its apps are changed by nothing else, and nobody would see a secret that it makes */
  managed?: boolean
}

type Applied = z.infer<typeof appliedFile>

/** Attempts before giving up: of this many files applied at once, each attempt lets one win. */
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
  for (let attempt = 1; ; attempt++) {
    const plan = await planOf(content, options)
    const { changes } = plan
    if (!options.check) requireTrustForPlan(operator, plan)
    requireSoundPlan(plan)
    if (options.check || (changes.length === 0 && isManagedAlready(plan))) return { changes, secrets: {} }
    const written = await writeChanges(operator, plan).catch((error: unknown) => {
      if (isOvertaken(error) && attempt < mostAttempts) return null
      throw error
    })
    if (written) {
      await finish(operator, changes, written.members)
      return { changes, secrets: written.secrets }
    }
    // A random pause, so that files that collided do not collide again.
    await pause(Math.random() * 20 * attempt)
  }
}

interface ApplyBody {
  file: unknown
  prune?: boolean | undefined
  check?: boolean | undefined
}

/**
 * What the endpoint does and the command, which reads environment variables before.
 *
 * @throws ApiError invalid_request with the sentences of the file, and those of `applyFile`
 */
export async function applyWritten(operator: Operator, { file, prune, check }: ApplyBody): Promise<Applied> {
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
  const { standing } = await readStanding()
  return { file: fileOf(standing, { secrets }) }
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

async function planOf(content: FileContent, { prune = false, managed = false }: Options): Promise<Plan> {
  const { standing, revision } = await readStanding()
  const managedIds = managed ? (content.apps ?? []).map(({ id }) => id) : null
  return { standing, revision, content, changes: changesTo(standing, content, prune), managedIds }
}

async function readStanding(): Promise<Pick<Plan, 'standing' | 'revision'>> {
  const db = await database()
  // First: what is read afterwards may be newer, which fails the transaction, and never older.
  const counter = await db.appliedFile.findUnique({ where: { id: 1 } })
  const groups = await db.group.findMany({ orderBy: { name: 'asc' } })
  const apps = await db.app.findMany({ where: registeredOnly, orderBy: { name: 'asc' } })
  const apis = await db.api.findMany({ orderBy: { identifier: 'asc' } })
  return {
    standing: {
      groups: new Set(groups.map(({ name }) => name)),
      apps: new Map(apps.map((row) => [row.id, appOf(row)])),
      apis: new Map(apis.map((row) => [row.identifier, apiOf(row)])),
    },
    revision: counter?.revision ?? null,
  }
}

/** Checks rights against the diff, since only the diff is written. @throws ApiError not_allowed */
function requireTrustForPlan(operator: Operator, { standing, content: { apps = [], apis = [] }, changes }: Plan): void {
  const deletedApis = namesOf(changes, 'api', 'delete')
  for (const stands of standing.apis.values()) {
    const wanted = apis.find(({ identifier }) => identifier === stands.identifier)?.groups
    requireTrustForApi(operator, stands, deletedApis.includes(stands.identifier) ? [] : wanted)
  }
  const wantedById = new Map(apps.map((app) => [app.id, app]))
  for (const { kind, name, fields } of changes) {
    const [stands, wanted] = [standing.apps.get(name), wantedById.get(name)]
    // The name of a group may be an app's id.
    if (kind !== 'app' || !wanted) continue
    if (stands) {
      requireTrustForApp(operator, stands, wanted)
      // Whoever has an app's secret is the app, so a key gets and sets none of an app that exists.
      const setsSecret = fields.includes('secret') || (stands.public && !wanted.public)
      if (setsSecret && operator.kind === 'key') throw new ApiError('not_allowed')
    }
    if (wanted.trusted) requireArea(operator, 'trust')
  }
}

/** Rejects faults that only a comparison with what stands can show. @throws FileError; ApiError managed_by_file */
function requireSoundPlan({ standing, content: { apps = [], apis = [] }, changes, managedIds }: Plan): void {
  const managed = managedIds !== null
  const changed = changes.filter(({ kind }) => kind === 'app')
  if (!managed && changed.some(({ name }) => standing.apps.get(name)?.managed)) throw new ApiError('managed_by_file')
  const inFile = new Set(apps.map(({ id }) => id))
  const deleted = new Set(changed.filter(({ action }) => action === 'delete').map(({ name }) => name))
  const others = [...standing.apps.values()].filter(({ id }) => !inFile.has(id) && !deleted.has(id))
  const ownerOf = new Map(others.map(({ name, id }) => [name, id]))
  const faults = apps.flatMap((app) => {
    const stands = standing.apps.get(app.id)
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
  const isThere = (id: string) => inFile.has(id) || (standing.apps.has(id) && !deleted.has(id))
  for (const { identifier, apps: named } of apis)
    if (named !== 'any')
      for (const id of named)
        if (!isThere(id)) faults.push(`The API ${identifier}: there is no app with the id ${JSON.stringify(id)}.`)
  if (faults.length > 0) throw new FileError(faults)
}

const getsSecret = (app: FileApp, stands: AppWithSecrets | undefined) =>
  !app.public && app.secretHash === null && (stands?.secretHash ?? null) === null

/** Whether the apps of the file of APPLY, and no others, are managed before anything is written. */
function isManagedAlready({ standing, managedIds }: Plan): boolean {
  const inFile = managedIds && new Set(managedIds)
  return inFile === null || [...standing.apps.values()].every(({ id, managed }) => managed === inFile.has(id))
}

/** Whether something has changed since it was read. */
const isOvertaken = (error: unknown) => isConflict(error) || isGone(error)

/** What follows a change of apps and groups, as after each command. */
async function finish(operator: Operator, changes: Change[], members: Map<string, { userId: string }[]>) {
  const rules = changes.filter(
    ({ kind, fields }) => kind === 'app' && (fields.includes('groups') || fields.includes('requirePasskey')),
  )
  for (const { name } of rules) await endExcluded(sql`g."appId" = ${name}`)
  for (const change of changes) {
    const { kind, action, name } = change
    for (const event of eventsOf(change)) writeLine(operator, event, subjectOf(change))
    if (kind === 'group' && action === 'delete') await finishGroupDeletion(operator, name, members.get(name) ?? [])
  }
}
