import { randomBytes } from 'node:crypto'
import { ApiError } from '@/lib/api/errors'
import { logChange } from '@/lib/auth/events/operators-log'
import { type Operator, requireArea } from '@/lib/auth/operator/operator'
import { endExcluded } from '@/lib/auth/sessions/app-rules'
import { deleteCodes, unguarded } from '@/lib/auth/sessions/write'
import { digestOf } from '@/lib/auth/tokens/tokens'
import { type Database, database, type Statement, transaction } from '@/lib/database/client'
import { isConflict } from '@/lib/database/errors'
import { sql, statement } from '@/lib/database/sql'
import { requireSigningKey } from '../tokens/signing-keys'
import { type App, type AppWithSecrets, appOf, describeApp, joinSpaced, newSecret, unlistingOf } from './app'
import { iconStatement } from './icon'
import {
  type AppSpec,
  type AppSpecWithIcon,
  appFault,
  columnsOf,
  faultsByField,
  iconColumnOf,
  idFaults,
  requireNoFaults,
} from './spec'

/** Without a hyphen, which a command would take for an option. */
export const newAppId = () => randomBytes(12).toString('hex')

/** @returns the secret, of which only a digest is stored; null for a public app */
export async function registerApp(
  operator: Operator,
  spec: AppSpecWithIcon,
): Promise<{ app: App; secret: string | null }> {
  if (spec.trusted) requireArea(operator, 'trust')
  requireNoFaults([...idFaults(spec.id).map((text) => ({ field: 'id', text })), ...faultsByField(spec)])
  const secret = spec.public ? null : newSecret()
  // Now, so that no stranger's request has an RSA key generated.
  await requireSigningKey()
  const db = await database()
  const data = { id: spec.id, ...columnsOf(spec), ...iconColumnOf(spec), secretHash: secret && digestOf(secret) }
  const icon = spec.icon ? [iconStatement(db, spec.id, spec.icon)] : []
  const { row } = await transaction(db, { row: db.app.create({ data }), icon }).catch(async (cause: unknown) => {
    const holder = isConflict(cause) ? await db.app.findUnique({ where: { id: spec.id }, select: { id: true } }) : null
    return explainConflict(cause, holder ? 'id' : 'name')
  })
  await logChange(operator, 'app_registered', { app: spec.id })
  return { app: describeApp(appOf(row)), secret }
}

/**
 * Writes only the given columns, so that concurrent commands keep each other's changes.
 *
 * @throws ApiError if another app has the name, or the app was deleted or changed to what excludes this meanwhile
 */
export async function changeApp(
  operator: Operator,
  app: AppWithSecrets,
  { icon, ...asked }: Partial<AppSpecWithIcon>,
): Promise<{ app: App; secret: string | null }> {
  requireUnmanaged(app)
  requireTrustForApp(operator, app, asked)
  const change = { ...(asked.public && { pkce: 'required' as const }), ...asked }
  const spec = { ...app, ...change }
  requireNoFaults(faultsByField(spec))
  const [before, after] = [columnsOf(app), columnsOf(spec)]
  const given = Object.entries(after).filter(
    ([column]) => before[column as keyof typeof before] !== after[column as keyof typeof after],
  )
  const secret = app.public && asked.public === false ? newSecret() : null
  // A key makes no secret of an app that exists: people trust the app already.
  if (secret !== null && operator.kind === 'key') throw new ApiError('not_allowed')
  const withoutSecret =
    !app.public && asked.public ? { secretHash: null, previousSecretHash: null, previousSecretUntil: null } : {}
  const data = {
    ...Object.fromEntries(given),
    ...iconColumnOf({ icon }),
    ...withoutSecret,
    ...(secret !== null && { secretHash: digestOf(secret) }),
  }
  if (Object.keys(data).length === 0) return { app: describeApp(app), secret }
  const changesRules = 'groups' in change || 'requirePasskey' in change
  const db = await database()
  const endsTrust = app.trusted && change.trusted === false
  if (endsTrust) await deleteCodes(unguarded, isOfApp(app.id))
  const where = {
    ...whereRulesHold(asked),
    ...(secret !== null && { secretHash: null }),
    // The app may have become trusted or limited meanwhile.
    ...(operator.kind === 'key' && { trusted: app.trusted, requirePasskey: app.requirePasskey, groups: before.groups }),
  }
  const changed = await update(app.id, data, where, [
    ...(endsTrust ? [endOfTrust(db, app.id)] : []),
    ...(icon === undefined ? [] : [iconStatement(db, app.id, icon)]),
  ])
  // Only then: it reads all that was issued for the app.
  if (changesRules) await endExcluded(sql`g."appId" = ${app.id}`)
  await logChange(operator, 'app_changed', { app: app.id })
  return { app: changed, secret }
}

/** What lets an app past consent, sends trusted sign-ins elsewhere, or admits people whom the app's rules keep out. */
export function requireTrustForApp(operator: Operator, app: App, asked: Partial<AppSpec>): void {
  const isOther = (before: string[], after = before) => joinSpaced(before) !== joinSpaced(after)
  const takesTrust =
    (asked.trusted && !app.trusted) ||
    (app.trusted && isOther(app.redirectUris, asked.redirectUris)) ||
    (app.requirePasskey && asked.requirePasskey === false) ||
    (app.groups.length > 0 && isOther(app.groups, asked.groups))
  if (takesTrust) requireArea(operator, 'trust')
}

/**
 * The previous secret stays valid for `keepOldMilliseconds`.
 *
 * @throws ApiError if the app is public, or was deleted or got another secret or none meanwhile
 */
export async function replaceSecret(
  operator: Operator,
  app: AppWithSecrets,
  keepOldMilliseconds: number,
): Promise<{ app: App; secret: string }> {
  requireUnmanaged(app)
  if (app.public) throw appFault('app', `${app.name} is public and has no secret.`)
  const secret = newSecret()
  const data = {
    secretHash: digestOf(secret),
    previousSecretHash: keepOldMilliseconds > 0 ? app.secretHash : null,
    previousSecretUntil: keepOldMilliseconds > 0 ? BigInt(Date.now() + keepOldMilliseconds) : null,
  }
  // A concurrent command has printed a secret that must stay valid; a public app must get none.
  const changed = await update(app.id, data, { secretHash: app.secretHash })
  await logChange(operator, 'app_secret_changed', { app: app.id })
  return { app: changed, secret }
}

/** Foreign keys delete its grants. @throws ApiError managed_by_file */
export async function deleteApp(operator: Operator, app: App): Promise<void> {
  requireUnmanaged(app)
  const { id } = app
  const db = await database()
  await deleteCodes(unguarded, isOfApp(id))
  const { deleted } = await transaction(db, {
    deleted: db.app.deleteMany({ where: { id, managed: false } }),
    unlisted: unlistingOf(db, id),
  })
  if (deleted.count === 1) await logChange(operator, 'app_deleted', { app: id })
}

/** An app of the file of APPLY: the next start would undo what is changed elsewhere. */
function requireUnmanaged({ managed }: { managed: boolean }): void {
  if (managed) throw new ApiError('managed_by_file')
}

export const isOfApp = (id: string) => sql`c."grantId" IN (SELECT g."id" FROM "Grant" g WHERE g."appId" = ${id})`

/**
 * A grant does not record whether the operator or its owner consented, so all are deleted, and by foreign keys what was issued
 * for them.
 */
export const endOfTrust = (db: Database, appId: string) =>
  statement(db)`
    DELETE FROM "Grant" WHERE "appId" IN (SELECT a."id" FROM "App" a WHERE a."id" = ${appId} AND NOT a."trusted")`

type Update = Parameters<Database['app']['updateMany']>[0]

/** A public app needs PKCE: a concurrent command may have made it public, or turned PKCE off. */
const whereRulesHold = (asked: Partial<AppSpec>): NonNullable<Update['where']> => ({
  ...(asked.public && !asked.pkce && { pkce: { not: 'off' } }),
  ...(asked.pkce && asked.pkce !== 'required' && { secretHash: { not: null } }),
})

/** @param consequences run in the same transaction, after it */
async function update(
  id: string,
  data: Update['data'],
  where: Update['where'] = {},
  consequences: Statement[] = [],
): Promise<App> {
  const db = await database()
  const change = db.app.updateMany({ where: { ...where, id, managed: false }, data })
  const { changed } = await transaction(db, { changed: change, consequences }).catch((cause: unknown) =>
    explainConflict(cause),
  )
  const row = await db.app.findUnique({ where: { id } })
  if (!row) throw new ApiError('not_found')
  requireUnmanaged(row)
  if (changed.count === 0) throw appFault('app', 'The app was changed meanwhile. Try again.')
  return describeApp(appOf(row))
}

/** Write and catch: the unique keys admit one of several concurrent commands. */
function explainConflict(cause: unknown, field = 'name'): never {
  if (!isConflict(cause)) throw cause
  throw appFault(field, 'Another app has this id or this name.')
}
