import * as z from 'zod'
import { type Endpoint, type Row, rows } from './endpoints'
import { type ErrorCode, errorStatus } from './errors'
import { accountHeader, cookieName, stepUpHeader } from './names'
import { type OAuthErrorCode, oauthCodeOf, oauthErrorStatus } from './oauth-errors'
import * as schemas from './schemas'

interface CallerContract {
  /** What rejects the caller, in the format of its row's errors. */
  errors: readonly ErrorCode[]
  oauthErrors?: readonly OAuthErrorCode[]
  /** The credentials that identify it, as OpenAPI's security requirements: any of them suffices. */
  security: readonly Readonly<Record<string, readonly []>>[]
}

const session = [{ session: [] }, { bearer: [] }] as const
const stepUp = [
  { session: [], stepUp: [] },
  { bearer: [], stepUp: [] },
] as const

const callerContracts: Record<Endpoint['caller'], CallerContract> = {
  anyone: { errors: [], security: [] },
  session: { errors: ['not_signed_in'], security: session },
  'session-and-maybe-step-up': {
    errors: ['not_signed_in', 'reauthentication_required'],
    security: [...session, ...stepUp],
  },
  'step-up': { errors: ['not_signed_in', 'reauthentication_required'], security: stepUp },
  'step-up-if-session': { errors: ['reauthentication_required'], security: [{}, ...stepUp] },
  app: { errors: [], oauthErrors: ['invalid_client', 'temporarily_unavailable'], security: [{ app: [] }, {}] },
  bearer: { errors: [], oauthErrors: ['invalid_token'], security: [{ accessToken: [] }] },
  administrator: {
    errors: [
      'authentication_failed',
      'not_allowed',
      'not_found',
      'reauthentication_required',
      'foreign_origin',
      'too_many_attempts',
    ],
    security: [{ operatorKey: [] }, ...stepUp],
  },
  cron: { errors: ['authentication_failed', 'not_found', 'too_many_attempts'], security: [{ cronSecret: [] }] },
}

const bodyErrors = ['invalid_request', 'payload_too_large', 'unsupported_media_type'] as const

/** Every code that an operation can answer with where its errors have our format. */
export function errorsOf(row: Row): ErrorCode[] {
  const off: readonly ErrorCode[] = row.usesPassword || row.usesRecovery ? ['not_found'] : []
  const fromBody = row.body === undefined ? [] : bodyErrors
  const codes = [...callerContracts[row.caller].errors, ...fromBody, ...off, ...(row.errors ?? [])]
  const ofPosts: readonly ErrorCode[] = row.method === 'GET' ? [] : ['foreign_origin', 'different_account']
  return [...new Set<ErrorCode>([...codes, ...ofPosts, 'internal_error', 'unavailable'])]
}

/** Every code that an operation can answer with where its errors have OAuth's format; undefined where they have ours. */
export function oauthErrorsOf({ oauth, caller }: Row): OAuthErrorCode[] | undefined {
  const always = ['invalid_request', 'server_error', 'temporarily_unavailable'] as const
  return oauth && [...new Set<OAuthErrorCode>([...always, ...(callerContracts[caller].oauthErrors ?? []), ...oauth])]
}

// Scripts take `rows` from here, because `nameOf` knows a schema by identity and each bundle has its own copy.
export { rows }

export const title = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** The URI of a component. */
const refTo = (name: string) => `#/components/schemas/${name}`

const isBody = (schema: z.ZodType) => rows.some(({ body }) => body === schema)

/** The objects and lists that lib/api/schemas.ts exports, each under its own name: bodies of requests and of responses. */
const [input, output] = [z.registry<{ id: string }>(), z.registry<{ id: string }>()]
for (const [name, schema] of Object.entries(schemas))
  if (schema instanceof z.ZodObject || schema instanceof z.ZodArray)
    (isBody(schema) ? input : output).add(schema, { id: title(name) })

/** The component of a schema, by name. */
export const nameOf = (schema: z.ZodType) => (input.get(schema) ?? output.get(schema))?.id

/** Whether this is a picture or a page, neither of which is JSON. */
export const isImage = (schema: z.ZodType) => schema === schemas.image
export const isPage = (schema: z.ZodType) => schema === schemas.page

/** The components of bodies of requests, or of responses, by name. */
export function components(io: 'input' | 'output'): Record<string, object> {
  const { schemas: named } = z.toJSONSchema(io === 'input' ? input : output, {
    io,
    uri: refTo,
    override: ({ jsonSchema }) => {
      // Results may gain fields, and the format says what zod's pattern for times does.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    },
  })
  return Object.fromEntries(Object.entries(named).map(([name, { $schema, $id, ...schema }]) => [name, schema]))
}

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

/** Names an operation by its path, and by its method, too, unless it is the path's first row. */
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
        operatorKey: { type: 'http', scheme: 'bearer' },
        cronSecret: { type: 'http', scheme: 'bearer' },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
    },
  }
}
