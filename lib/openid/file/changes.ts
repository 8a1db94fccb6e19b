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
  groups: Set<string>
  /** By id */
  apps: Map<string, AppWithSecrets>
  /** By identifier */
  apis: Map<string, Api>
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
  const change = (action: Change['action'], kind: Change['kind'], name: string, fields: string[] = []): Change => ({
    action,
    kind,
    name,
    fields,
  })
  const deletions = (kind: Change['kind'], names: Iterable<string>, wanted: string[] | undefined) => {
    if (!prune || !wanted) return []
    const kept = new Set(wanted)
    return [...names].filter((name) => !kept.has(name)).map((name) => change('delete', kind, name))
  }
  const [identifiers, ids] = [apis?.map(({ identifier }) => identifier), apps?.map(({ id }) => id)]
  const added = (groups ?? []).filter((name) => !standing.groups.has(name))
  return [
    ...added.map((name) => change('add', 'group', name)),
    ...(apps ?? []).flatMap((app) => {
      const stands = standing.apps.get(app.id)
      if (!stands) return [change('add', 'app', app.id)]
      const fields = changedFields(stands, app)
      return fields.length > 0 ? [change('change', 'app', app.id, fields)] : []
    }),
    ...(apis ?? []).flatMap((api) => {
      const stands = standing.apis.get(api.identifier)
      if (!stands) return [change('add', 'api', api.identifier)]
      const fields = changedFieldsOfApi(stands, api)
      return fields.length > 0 ? [change('change', 'api', api.identifier, fields)] : []
    }),
    ...deletions('api', standing.apis.keys(), identifiers),
    ...deletions('app', standing.apps.keys(), ids),
    ...deletions('group', standing.groups, groups && [...groups, administrators]),
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
    groups: [...groups].filter((name) => name !== administrators),
    apps: [...apps.values()].map((app) => {
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
    ...(apis.size > 0 && { apis: [...apis.values()].map(writtenApi) }),
  }
}

function writtenApi({ createdAt: _, identifier, name, ...settings }: Api) {
  const said = Object.entries(settings).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(apiDefaults[field as keyof typeof apiDefaults]),
  )
  return { identifier, name, ...Object.fromEntries(said) }
}
