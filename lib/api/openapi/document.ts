import type * as z from 'zod'
import { cookieName } from '../cookies'
import { type Endpoint, type Row, rows } from '../endpoints'
import { type ErrorCode, errorStatus } from '../errors'
import { accountHeader, stepUpHeader } from '../headers'
import { oauthCodeOf, oauthErrorStatus } from '../oauth-errors'
import { callerContracts } from './callers'
import { errorsOf, oauthErrorsOf } from './errors'
import { components, isImage, isPage, nameOf, refTo, title } from './schemas'

type Json = Record<string, unknown>

function content(schema: z.ZodType, media = 'application/json'): Json {
  if (isImage(schema)) return { 'image/*': {} }
  if (isPage(schema)) return { 'text/html': {} }
  return { [media]: { schema: { $ref: refTo(`${nameOf(schema)}`) } } }
}

function resultResponses({ results, summary }: Endpoint): Json {
  return Object.fromEntries(
    Object.entries(results).map(([status, schema]) => [
      status,
      { description: summary, ...(schema && { content: content(schema) }) },
    ]),
  )
}

function errorResponses(row: Row): Json {
  const oauthCodes = oauthErrorsOf(row)
  if (!oauthCodes) {
    const own = errorsOf(row).map((code): CodeOfStatus => [errorStatus[code], code])
    return responsesByStatus(own, { body: 'ErrorResponse', field: 'code' })
  }
  const byCode = oauthCodes.map((code): CodeOfStatus => [oauthErrorStatus[code], code])
  return responsesByStatus([...byCode, ...furtherOauthErrors(row)], { body: 'OauthErrorResponse', field: 'error' })
}

type CodeOfStatus = [status: number, code: string]

/** Errors that every endpoint has keep their status where they have OAuth's format. */
const furtherOauthErrors = ({ body, caller }: Row): CodeOfStatus[] => [
  ...(body ? errorsOfForms : []),
  ...(caller === 'app' ? errorsOfApps : []),
]
const inOAuth = (code: ErrorCode): CodeOfStatus => [errorStatus[code], oauthCodeOf(code)]
const errorsOfForms = [inOAuth('payload_too_large'), inOAuth('unsupported_media_type')]
const errorsOfApps = [inOAuth('too_many_attempts')]

/** @param field the field of the body that has the code */
function responsesByStatus(codes: CodeOfStatus[], { body, field }: { body: string; field: string }): Json {
  const statuses = [...new Set(codes.map(([status]) => status))]
  return Object.fromEntries(
    statuses.map((status) => {
      const same = codes.filter(([one]) => one === status).map(([, code]) => code)
      const properties = { [field]: { type: 'string', enum: same } }
      const schema = { allOf: [{ $ref: refTo(body) }, { type: 'object', properties }] }
      return [status, { description: same.join(', '), content: { 'application/json': { schema } } }]
    }),
  )
}

/** By path, and by method, too, where the path has another row before. */
function operationId(row: Row): string {
  const name = row.path.replace(/^\/(api\/|\.)?/, '').replace(/[^a-z]+(.)/g, (_, next: string) => next.toUpperCase())
  return rows.find(({ path }) => path === row.path) === row ? name : row.method.toLowerCase() + title(name)
}

function operation(row: Row): Json {
  const { summary, caller, body, bodyOptional, form } = row
  const media = form && 'application/x-www-form-urlencoded'
  const parameters = [
    ...(row.method === 'POST' && !row.oauth ? [{ $ref: '#/components/parameters/account' }] : []),
    ...(row.parameters ?? []),
  ]
  return {
    operationId: operationId(row),
    summary,
    security: callerContracts[caller].security,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: !bodyOptional, content: content(body, media) } }),
    responses: { ...errorResponses(row), ...resultResponses(row) },
  }
}

/**
 * The API as an OpenAPI 3.1 document. Its schemas are those that parse, except those of a POST that redirects to its GET.
 *
 * @param passwords false: without the endpoints that PASSWORDS=off switches off
 * @param secureCookies false: with the name that the session's cookie has without https
 */
export function openApiDocument({ passwords = true, secureCookies = true } = {}): Json {
  const paths: Record<string, Json> = {}
  for (const row of rows)
    if (passwords || !row.usesPassword)
      paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operation(row) }
  return {
    openapi: '3.1.0',
    info: { title: 'Latchkey', version: '1', license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { ...components('input'), ...components('output') },
      parameters: {
        account: {
          in: 'header',
          name: accountHeader,
          description:
            'The id of the account that the caller shows; a session of another is answered different_account',
          schema: { type: 'string' },
        },
      },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: cookieName('session', secureCookies) },
        stepUp: { type: 'apiKey', in: 'header', name: stepUpHeader },
        app: { type: 'http', scheme: 'basic' },
        accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        cronSecret: { type: 'http', scheme: 'bearer' },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
    },
  }
}
