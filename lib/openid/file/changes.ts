import type * as z from 'zod'
import { administrators } from '@/lib/api/names'
import type { appliedFile } from '@/lib/api/schemas/latchkey-file'
import { type Api, type ApiSpec, apiDefaults, columnsOfApi } from '../apps/api'
import { type AppWithSecrets, iconPath } from '../apps/app'
import { appDefaults, optionalFields } from '../apps/spec'
import type { FileApp, FileContent } from './read'

/* Compares a file with the apps, APIs and groups that there are, and writes these as a file. */

/** The present groups and apps, which a file is compared with. No file makes members of `admins`, who are operators. */
export interface Standing {
  groups: string[]
  apps: AppWithSecrets[]
  apis: Api[]
}

export type Change = z.infer<typeof appliedFile>['changes'][number]

const comparedFields = ['name', 'redirectUris', ...optionalFields] as const

function changedFields(stands: AppWithSecrets, app: FileApp): string[] {
  const fields: string[] = comparedFields.filter(
    (field) => JSON.stringify(stands[field]) !== JSON.stringify(app[field]),
  )
  const isOther = app.secretHash !== null && app.secretHash !== stands.secretHash
  if (app.icon !== undefined && stands.icon !== (app.icon && iconPath(app.icon.digest))) fields.push('icon')
  return isOther ? [...fields, 'secret'] : fields
}

function changedFieldsOfApi(stands: Api, wanted: ApiSpec): string[] {
  const [before, after] = [columnsOfApi(stands), columnsOfApi(wanted)]
  return (Object.keys(before) as (keyof typeof before)[]).filter((field) => before[field] !== after[field])
}

/** What the file would change, in the order in which it is said. */
export function changesTo(standing: Standing, { groups, apps, apis }: FileContent, prune: boolean): Change[] {
  const byId = new Map(standing.apps.map((app) => [app.id, app]))
  const change = (action: Change['action'], kind: Change['kind'], name: string, fields: string[] = []): Change => ({
    action,
    kind,
    name,
    fields,
  })
  const wantedGroups = new Set(groups)
  const wantedApps = new Set(apps?.map(({ id }) => id))
  const added = (groups ?? []).filter((name) => !standing.groups.includes(name))
  return [
    ...added.map((name) => change('add', 'group', name)),
    ...(apps ?? []).flatMap((app) => {
      const stands = byId.get(app.id)
      if (!stands) return [change('add', 'app', app.id)]
      const fields = changedFields(stands, app)
      return fields.length > 0 ? [change('change', 'app', app.id, fields)] : []
    }),
    ...(apis ?? []).flatMap((api) => {
      const stands = standing.apis.find(({ identifier }) => identifier === api.identifier)
      if (!stands) return [change('add', 'api', api.identifier)]
      const fields = changedFieldsOfApi(stands, api)
      return fields.length > 0 ? [change('change', 'api', api.identifier, fields)] : []
    }),
    ...(prune && apis
      ? standing.apis.filter(({ identifier }) => !apis.some((wanted) => wanted.identifier === identifier))
      : []
    ).map(({ identifier }) => change('delete', 'api', identifier)),
    ...(prune && apps ? standing.apps.filter(({ id }) => !wantedApps.has(id)) : []).map(({ id }) =>
      change('delete', 'app', id),
    ),
    ...(prune && groups
      ? standing.groups.filter((name) => !wantedGroups.has(name) && name !== administrators)
      : []
    ).map((name) => change('delete', 'group', name)),
  ]
}

const marks = { add: '+', change: '~', delete: '-' }

/** A line for each change, such as `~ app actual: redirectUris, groups`. */
export const changesText = (changes: Change[]): string =>
  changes
    .map(
      ({ action, kind, name, fields }) =>
        `${marks[action]} ${kind} ${name}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}`,
    )
    .join('\n') || 'nothing to change'

/**
 * Writes the present state as a file, without defaults. Applying it changes nothing.
 *
 * @param secrets whether with digests of the secrets, by which the file makes the same apps elsewhere
 */
export function fileOf({ groups, apps, apis }: Standing, { secrets = false } = {}) {
  return {
    groups: groups.filter((name) => name !== administrators),
    apps: apps.map((app) => {
      const { id, name, redirectUris, secretHash } = app
      const defaults = { ...appDefaults, ...(app.public && { pkce: 'required' }) }
      const said = optionalFields.filter((field) => JSON.stringify(app[field]) !== JSON.stringify(defaults[field]))
      return {
        id,
        name,
        redirectUris,
        ...Object.fromEntries(said.map((field) => [field, app[field]])),
        ...(secrets && secretHash !== null && { secret: { sha256: secretHash } }),
      }
    }),
    ...(apis.length > 0 && { apis: apis.map(writtenApi) }),
  }
}

function writtenApi({ createdAt: _, identifier, name, ...settings }: Api) {
  const said = Object.entries(settings).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(apiDefaults[field as keyof typeof apiDefaults]),
  )
  return { identifier, name, ...Object.fromEntries(said) }
}
