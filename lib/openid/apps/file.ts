import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { AnyNode, DocumentNode } from '@humanwhocodes/momoa'
import type * as z from 'zod'
import { limits } from '@/lib/api/limits'
import { administrators } from '@/lib/api/names'
import { type appliedFile, type LatchkeyFile, latchkeyFile, type WrittenFile } from '@/lib/api/schemas/latchkey-file'
import { digestOf } from '@/lib/auth/tokens/tokens'
import { type ApiSpec, apiDefaults, columnsOfApi, faultsOfApi, identifierFaults, normalized } from './api'
import { type AppWithSecrets, iconPath } from './app'
import { iconIn, iconUrlOf } from './icon'
import type { Api } from './resources'
import { type AppSpec, type AppSpecWithIcon, appDefaults, faultsByField, groupNameFaults, idFormatFaults } from './spec'

/** What is wrong with a file: a line for each fault, which says where it is and what would be right. */
export class FileError extends Error {
  override readonly name = 'FileError'
  readonly faults: string[]

  constructor(faults: string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/** An app as a file wants it. `secretHash` is null where the file names no secret. */
export type FileApp = AppSpecWithIcon & { secretHash: string | null }

/** A part missing from the file stays as it is. */
export interface FileContent {
  groups?: string[]
  apps?: FileApp[]
  apis?: ApiSpec[]
}

/** The present groups and apps, which a file is compared with. No file makes members of `admins`, who are operators. */
export interface Standing {
  groups: string[]
  apps: AppWithSecrets[]
  apis: Api[]
}

export type Change = z.infer<typeof appliedFile>['changes'][number]

/** Reads an environment variable. */
type Variables = (name: string) => string | undefined

/**
 * Reads the file as a command and a start do.
 *
 * @throws FileError, or an Error for operators if there is no such file
 */
export async function readAppFile(path: string, variables: Variables): Promise<FileContent> {
  const bytes = await readFile(path).catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new Error(code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read: ${message}`)
  })
  return readNamed(path, bytes, variables)
}

/** @throws FileError whose faults begin with the name */
export async function readNamed(name: string, bytes: Uint8Array, variables: Variables): Promise<FileContent> {
  try {
    return contentOf(await withIcons(await readJson(bytes), dirname(name)), variables)
  } catch (error) {
    throw error instanceof FileError ? new FileError(error.faults.map((fault) => `${name}: ${fault}`)) : error
  }
}

/** @throws FileError */
export async function readFileContent(bytes: Uint8Array, variables: Variables): Promise<FileContent> {
  return contentOf(await readJson(bytes), variables)
}

/** @param variables null: where the file was not read, as at a server @throws FileError */
export function contentOf(value: unknown, variables: Variables | null): FileContent {
  const { data, error } = latchkeyFile.safeParse(value)
  if (error) throw new FileError(error.issues.flatMap((issue) => schemaFaults(issue, value)))
  const faults = [...groupFaults(data.groups ?? []), ...duplicates('groups', data.groups ?? [])]
  const apps = data.apps?.map((app, index) => toApp(app, `apps[${index}]`, variables, faults))
  for (const field of ['id', 'name'] as const)
    faults.push(...duplicates('apps', apps?.map((app) => app[field]) ?? [], field))
  for (const [index, api] of (data.apis ?? []).entries())
    for (const { field, text } of [
      ...identifierFaults(api.identifier).map((text) => ({ field: 'identifier', text })),
      ...faultsOfApi(api),
    ])
      faults.push(`apis[${index}].${field}: ${text}`)
  faults.push(...duplicates('apis', data.apis?.map(({ identifier }) => identifier) ?? [], 'identifier'))
  if (faults.length > 0) throw new FileError(faults)
  return {
    ...(data.groups && { groups: data.groups }),
    ...(apps && { apps }),
    ...(data.apis && { apis: data.apis.map(normalized) }),
  }
}

/** The content as another machine may get it, without the names of environment variables. */
export const withDigests = ({ groups, apps, apis }: FileContent): WrittenFile => ({
  ...(groups && { groups }),
  ...(apis && { apis }),
  ...(apps && {
    apps: apps.map(({ secretHash, icon, ...app }) => ({
      ...app,
      ...(icon !== undefined && { icon: icon && iconUrlOf(icon.bytes) }),
      ...(secretHash && { secret: { sha256: secretHash } }),
    })),
  }),
})

/** The file with the images in it that it names, by a path from its own folder. */
async function withIcons(value: unknown, folder: string): Promise<unknown> {
  const { apps } = (value ?? {}) as { apps?: unknown }
  if (!Array.isArray(apps)) return value
  const read = async (app: unknown, index: number) => {
    const { icon } = (app ?? {}) as { icon?: unknown }
    if (typeof icon !== 'string' || icon.startsWith('data:')) return app
    // Else Turbopack takes every file of the project for one that this may read.
    const bytes = await readFile(resolve(/* turbopackIgnore: true */ folder, icon)).catch(
      ({ code }: NodeJS.ErrnoException) => {
        throw new FileError([`apps[${index}].icon: the image ${JSON.stringify(icon)} cannot be read (${code}).`])
      },
    )
    return { ...(app as object), icon: iconUrlOf(bytes) }
  }
  return { ...(value as object), apps: await Promise.all(apps.map(read)) }
}

/** Strict JSON: a parser that lets the last of two keys win would apply what nobody sees. */
export async function readJson(bytes: Uint8Array): Promise<unknown> {
  const text = decode(bytes)
  const { body } = await parsed(text)
  const repeated = repeatedKeys(body, '')
  if (repeated.length > 0) throw new FileError(repeated)
  try {
    return JSON.parse(text)
  } catch {
    // The parser that knows lines takes them.
    throw new FileError(['A text has a line break or another control character in it. Write \\n for a line break.'])
  }
}

function decode(bytes: Uint8Array): string {
  try {
    // Skips a byte order mark, with which some editors begin a file.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new FileError(['It is not UTF-8. Save it as UTF-8.'])
  }
}

async function parsed(text: string): Promise<DocumentNode> {
  // On demand: most servers read no such file.
  const { parse } = await import('@humanwhocodes/momoa')
  try {
    return parse(text, { mode: 'json' })
  } catch (error) {
    if (error instanceof RangeError) throw new FileError(['It is nested too deeply.'])
    const { line, column, message } = error as { line: number; column: number; message: string }
    if (text.trim() === '') throw new FileError(['It is empty. Write {} for a file that says nothing.'])
    if (message.startsWith('Unexpected end')) throw new FileError(['It ends too early: a bracket is not closed.'])
    const [token = ''] = /^(\/[/*]|[\w+-]{1,30}|.)/u.exec(text.split('\n')[line - 1]?.slice(column - 1) ?? '') ?? []
    if (/^(\/.|#)/.test(token)) throw new FileError([`Line ${line}, column ${column}: JSON has no comments.`])
    throw new FileError([`Line ${line}, column ${column}: ${JSON.stringify(token)} cannot stand here in JSON.`])
  }
}

function repeatedKeys(node: AnyNode, path: string): string[] {
  if (node.type === 'Array')
    return node.elements.flatMap(({ value }, index) => repeatedKeys(value, `${path}[${index}]`))
  if (node.type !== 'Object') return []
  const seen = new Set<string>()
  return node.members.flatMap(({ name, value, loc }) => {
    const key = name.type === 'String' ? name.value : name.name
    const inner = path === '' ? key : `${path}.${key}`
    const again = seen.has(key)
    seen.add(key)
    return [
      ...(again ? [`Line ${loc.start.line}: ${inner} is there twice. Keep one.`] : []),
      ...repeatedKeys(value, inner),
    ]
  })
}

const placeOf = (path: readonly PropertyKey[]) =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '')

/** JSON types in words: zod's own speak of JavaScript. */
const kinds: Record<string, string> = {
  string: 'a text, "..."',
  array: 'a list, [...]',
  boolean: 'true or false',
  object: 'an object, {...}',
}

export function schemaFaults(issue: z.core.$ZodIssue, value: unknown, fieldsAt = fieldsOf): string[] {
  const place = placeOf(issue.path)
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownField(key, place, fieldsAt(place)))
  const subject = place || 'The file'
  if (issue.code === 'invalid_type') {
    const given = issue.path.reduce<unknown>((part, step) => (part as Record<PropertyKey, unknown>)?.[step], value)
    return [`${subject} ${given === undefined ? 'is missing' : `must be ${kinds[issue.expected] ?? issue.expected}`}.`]
  }
  if (issue.code === 'invalid_value')
    return [`${subject} must be one of ${issue.values.map((one) => JSON.stringify(one)).join(', ')}.`]
  return [`${subject} ${issue.message}.`]
}

export const fieldsOf = (place: string): string[] =>
  place === ''
    ? Object.keys(latchkeyFile.shape)
    : /^apps\[\d+\]$/.test(place)
      ? appFields
      : /^apis\[\d+\]$/.test(place)
        ? apiFields
        : ['env', 'sha256']

const appFields = Object.keys(latchkeyFile.shape.apps.unwrap().element.shape)
const apiFields = Object.keys(latchkeyFile.shape.apis.unwrap().element.shape)

function unknownField(key: string, place: string, fields: string[]): string {
  const path = place === '' ? key : `${place}.${key}`
  if (path === 'people')
    return 'people is for a developer\'s own file. This one says which apps and groups there are; "invite" and "import" bring people.'
  const near = fields.reduce((best, field) => (distance(key, field) < distance(key, best) ? field : best))
  return `${path} is no field. The nearest is ${near}.`
}

/** How many letters have to be inserted, deleted or replaced (Levenshtein), without regard to case. */
function distance(one: string, other: string): number {
  const [a, b] = [one.slice(0, limits.appName).toLowerCase(), other.toLowerCase()]
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1))
    row = next
  }
  return row[b.length] ?? 0
}

export const groupFaults = (groups: string[], place = 'groups') =>
  groups.flatMap((group, index) => {
    if (group === administrators)
      return [`${place}[${index}]: no file makes ${administrators}, whose members administer Latchkey. Leave it out.`]
    return groupNameFaults(group).map((fault) => `${place}[${index}]: ${fault}`)
  })

export function duplicates(list: string, names: string[], field?: string): string[] {
  const place = (index: number) => (field === undefined ? `${list}[${index}]` : `${list}[${index}].${field}`)
  const first = new Map<string, number>()
  return names.flatMap((name, index) => {
    const before = first.get(name)
    if (before === undefined) first.set(name, index)
    return before === undefined ? [] : [`${place(index)}: ${JSON.stringify(name)} is already that of ${place(before)}.`]
  })
}

type AppInFile = NonNullable<LatchkeyFile['apps']>[number]

function toApp(given: AppInFile, place: string, variables: Variables | null, faults: string[]): FileApp {
  const { secret, icon: url, pkce = given.public ? 'required' : appDefaults.pkce, ...rest } = given
  const spec = { ...rest, pkce, groups: [...new Set(rest.groups)] }
  faults.push(...idFormatFaults(spec.id).map((fault) => `${place}.id: ${fault}`))
  faults.push(...faultsByField(spec).map(({ field, text }) => `${place}.${field}: ${text}`))
  if (secret && spec.public) faults.push(`${place}.secret: a public app has none. Leave it out, or make public false.`)
  const icon = typeof url === 'string' ? iconIn(url) : url
  if (typeof icon === 'string') faults.push(`${place}.icon: ${icon}`)
  const secretHash = secret ? digestIn(secret, `${place}.secret`, variables, faults) : null
  return { ...spec, ...(typeof icon !== 'string' && icon !== undefined && { icon }), secretHash }
}

/** The shortest secret. One that a person made up could be guessed from its digest. */
const shortestSecret = 32

function digestIn(
  secret: NonNullable<AppInFile['secret']>,
  place: string,
  variables: Variables | null,
  faults: string[],
): string {
  if ('sha256' in secret) return secret.sha256
  const value = variables?.(secret.env)
  if (variables === null)
    faults.push(`${place}.env is read where the command runs. Send {"sha256": "..."}, its digest.`)
  else if (!value) faults.push(`${place}.env: the environment variable ${JSON.stringify(secret.env)} is not set.`)
  else if (value.length < shortestSecret)
    faults.push(
      `${place}.env: ${secret.env} has ${value.length} characters. A secret has at least ${shortestSecret}: openssl rand -base64 32`,
    )
  return digestOf(value ?? '')
}

/** In the order in which changes name them. */
const comparedFields = [
  'name',
  'redirectUris',
  'signOutUris',
  'backChannelUri',
  'homeUrl',
  'public',
  'pkce',
  'trusted',
  'requirePasskey',
  'groups',
  'machine',
  'device',
] as const satisfies (keyof AppSpec)[]

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
      const others = Object.keys(appDefaults) as (keyof typeof appDefaults)[]
      const said = others.filter((field) => JSON.stringify(app[field]) !== JSON.stringify(defaults[field]))
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
