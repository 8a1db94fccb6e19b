import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { administrators } from '@/lib/api/names'
import { type LatchkeyFile, latchkeyFile, type WrittenFile } from '@/lib/api/schemas/latchkey-file'
import { digestOf } from '@/lib/auth/tokens/tokens'
import { type ApiSpec, faultsOfApi, identifierFaults, normalized } from '../apps/api'
import { iconIn, iconUrlOf } from '../apps/icon'
import { type AppSpecWithIcon, appDefaults, faultsByField, groupNameFaults, idFormatFaults } from '../apps/spec'
import { FileError, readJson, schemaFaults } from './json'

/** An app as a file wants it. `secretHash` is null where the file names no secret. */
export type FileApp = AppSpecWithIcon & { secretHash: string | null }

/** A part missing from the file stays as it is. */
export interface FileContent {
  groups?: string[]
  apps?: FileApp[]
  apis?: ApiSpec[]
}

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
