import type * as z from 'zod'
import { accountEndpoints } from './endpoints/account'
import { adminEndpoints } from './endpoints/admin'
import { appEndpoints } from './endpoints/apps'
import type { Endpoint, HttpMethod } from './endpoints/endpoint'
import { openIdEndpoints } from './endpoints/openid'
import { signInEndpoints } from './endpoints/sign-in'
import { serviceEndpoints, wellKnownEndpoints } from './endpoints/well-known'

export type { Endpoint }

/**
 * Every operation by method and path. The routes of server.ts, the browser's calls, the tests' list, the table of docs/api.md and
 * the OpenAPI document are derived from this table.
 */
export const endpoints = {
  ...signInEndpoints,
  ...accountEndpoints,
  ...appEndpoints,
  ...openIdEndpoints,
  ...adminEndpoints,
  ...serviceEndpoints,
  ...wellKnownEndpoints,
}

type Table = typeof endpoints

/** A method and a path. */
export type Operation = keyof Table
type PathOf<O, M extends HttpMethod = HttpMethod> = O extends `${M} ${infer P}` ? P : never
export type Path = PathOf<Operation>
export type PostPath = PathOf<Operation, 'POST'>

/** The JSON that a client sends; undefined where none is read. */
export type PostBody<P extends PostPath> = Table[`POST ${P}`] extends { body: infer S extends z.ZodType }
  ? z.input<S>
  : undefined

/** The same as its schema parses it. */
export type ParsedBody<O extends Operation> = Table[O] extends { body: infer S extends z.ZodType }
  ? z.output<S>
  : undefined

export type CallerOf<O extends Operation> = Table[O]['caller']

type ResultSchema<O extends Operation> = Table[O]['results'][keyof Table[O]['results']]

/** The JSON that a client gets on success; null where there is none. */
export type ResultOf<O extends Operation> =
  ResultSchema<O> extends infer S ? (S extends z.ZodType ? z.output<S> : null) : never

export type PostResult<P extends PostPath> = ResultOf<`POST ${P}`>

export type Row = Endpoint & { method: HttpMethod; path: Path }

/** The table, each row with the two parts of its key. */
export const rows: readonly Row[] = Object.entries<Endpoint>(endpoints).map(([key, endpoint]) => {
  const [method, path] = key.split(' ') as [HttpMethod, Path]
  return { method, path, ...endpoint }
})

/** The methods of each path, as `Allow` lists them. */
export const methodsByPath = Object.fromEntries(
  rows.map(({ path }) => [
    path,
    rows.filter((row) => row.path === path).flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method)),
  ]),
) as Record<Path, string[]>

export const isEndpoint = (path: string): path is Path => Object.hasOwn(methodsByPath, path)

/** How a request's body is read. */
export function bodyMode({ body, bodyOptional, form }: Endpoint): BodyMode {
  if (body === undefined) return 'ignored'
  if (form) return bodyOptional ? 'optional-form' : 'form'
  return bodyOptional ? 'optional' : 'required'
}

export type BodyMode = 'ignored' | 'optional' | 'required' | 'optional-form' | 'form'
