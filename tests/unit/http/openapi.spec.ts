import { execFileSync } from 'node:child_process'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'playwright/test'
import { endpoints } from '@/lib/api/endpoints'
import { accountEndpoints } from '@/lib/api/endpoints/account'
import { adminEndpoints } from '@/lib/api/endpoints/admin'
import { appEndpoints } from '@/lib/api/endpoints/apps'
import { openIdEndpoints } from '@/lib/api/endpoints/openid'
import { signInEndpoints } from '@/lib/api/endpoints/sign-in'
import { serviceEndpoints, wellKnownEndpoints } from '@/lib/api/endpoints/well-known'
import { limits } from '@/lib/api/limits'
import { openApiDocument } from '@/lib/api/openapi'

test('an operation stands in one of the tables that are joined', () => {
  const tables = [
    signInEndpoints,
    accountEndpoints,
    appEndpoints,
    openIdEndpoints,
    adminEndpoints,
    serviceEndpoints,
    wellKnownEndpoints,
  ]
  expect(tables.flatMap((table) => Object.keys(table))).toEqual(Object.keys(endpoints))
})

test('the OpenAPI document passes the recommended rules of its linter', async () => {
  // The GETs take nothing that could be wrong, and one of them succeeds with a redirect.
  const rules = { 'operation-4xx-response': 'off', 'operation-2xx-response': 'off' } as const
  const config = await createConfig({ extends: ['recommended'], rules })
  const problems = await lintFromString({ source: JSON.stringify(openApiDocument()), config })
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

test('the OpenAPI document has ids of operations in camel case, each once', () => {
  const { paths } = openApiDocument() as { paths: Record<string, Record<string, { operationId: string }>> }
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const ids = operations.map(({ operationId }) => operationId)
  expect(ids).toEqual(expect.arrayContaining(['iPasskeysRename', 'wellKnownJwksJson', 'postOauthAuthorize']))
  expect(ids.filter((id) => !/^[a-z][A-Za-z]*$/.test(id))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
})

test('the OpenAPI document names what GETs read besides credentials', () => {
  const { paths } = openApiDocument() as {
    paths: Record<string, { get: { parameters?: { in: string; name: string }[] } }>
  }
  const parametersOf = (path: string) => paths[path]?.get.parameters?.map(({ in: where, name }) => `${where} ${name}`)
  expect(parametersOf('/api/access')).toEqual(['query next'])
  expect(parametersOf('/api/forward-auth')).toEqual([
    'query group',
    'header X-Forwarded-Host',
    'header X-Forwarded-Uri',
  ])
  expect(parametersOf('/api/health')).toBeUndefined()
})

test('the OpenAPI document says that a form of a POST may have what the query of the GET may', () => {
  type Operation = { parameters: { name: string }[]; requestBody: { content: Record<string, { schema: unknown }> } }
  const { paths, components } = openApiDocument() as {
    paths: Record<string, { get: Operation; post: Operation }>
    components: { schemas: Record<string, { properties: object }> }
  }
  for (const [path, schema] of [
    ['/api/oauth/authorize', 'AuthorizationInput'],
    ['/api/oauth/logout', 'LogoutInput'],
  ] as const) {
    const form = paths[path]?.post.requestBody.content['application/x-www-form-urlencoded']
    expect(form?.schema).toEqual({ $ref: `#/components/schemas/${schema}` })
    const names = paths[path]?.get.parameters.map(({ name }) => name)
    expect(Object.keys(components.schemas[schema]?.properties ?? {})).toEqual(names)
  }
})

test('the OpenAPI document says of each parameter that is read which values it may have', () => {
  type Schema = { type?: string; properties?: Record<string, Schema>; $ref?: string }
  type Operation = { parameters?: { name: string; schema?: Schema }[] }
  const { paths, components } = openApiDocument() as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Schema> }
  }
  const isBare = (schema: Schema) => Object.keys(schema).every((key) => ['type', 'description'].includes(key))
  const inForms = ['AuthorizationInput', 'LogoutInput', 'TokenInput', 'RevocationInput', 'UserinfoInput'].flatMap(
    (name) => Object.entries(components.schemas[name]?.properties ?? {}),
  )
  const inPaths = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ parameters = [] }) =>
      parameters.flatMap(({ name, schema }) => (schema ? [[name, schema] as const] : [])),
    ),
  )
  expect(inForms.length).toBeGreaterThan(30)
  expect(inPaths.length).toBeGreaterThan(20)
  expect([...inForms, ...inPaths].filter(([, schema]) => isBare(schema)).map(([name]) => name)).toEqual([])
  expect(components.schemas.TokenInput?.properties?.grant_type).toMatchObject({
    enum: ['authorization_code', 'refresh_token', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code'],
  })
})

test('the OpenAPI document has the lengths and patterns that the schemas check', () => {
  type Fields = Record<string, Record<string, unknown>>
  const { components } = openApiDocument() as { components: { schemas: Record<string, { properties: Fields }> } }
  const fieldsOf = (name: string) => components.schemas[name]?.properties
  const { username, password, passkeyName, recoveryCode } = limits
  expect(fieldsOf('SignUpInput')).toMatchObject({
    username: { type: 'string', pattern: expect.stringContaining(`{${username.min - 1},${username.max - 1}}$`) },
    password: {
      type: 'string',
      // Of a password before NFC, which makes it shorter.
      minLength: 8,
      maxLength: 1.5 * password,
      description: expect.stringContaining('At least 8 code points'),
    },
  })
  expect(fieldsOf('RenamePasskeyInput')).toMatchObject({
    id: { type: 'string', maxLength: limits.credentialId, pattern: '^[A-Za-z0-9_-]+$' },
    name: { type: 'string', minLength: 1, maxLength: passkeyName },
  })
  expect(fieldsOf('RecoverySignInInput')?.code).toMatchObject({ type: 'string', maxLength: recoveryCode })
})

test('the OpenAPI document names the session cookie as it is where cookies are not Secure', () => {
  const nameOf = (options: { secureCookies?: boolean }) =>
    (openApiDocument(options) as { components: { securitySchemes: { session: { name: string } } } }).components
      .securitySchemes.session.name
  expect([nameOf({}), nameOf({ secureCookies: false })]).toEqual(['__Host-session', 'latchkey-session'])
})

test("the OpenAPI document has the statuses of OAuth's errors that the code does not say, where they can occur", () => {
  type Responses = Record<string, Record<string, { responses: Record<string, { description: string }> }>>
  const { paths } = openApiDocument() as { paths: Responses }
  const errorsOf = (path: string, method: string) =>
    [413, 415, 429].map((status) => paths[path]?.[method]?.responses[status]?.description)
  const ofForm = ['invalid_request', 'invalid_request']
  for (const path of ['/api/oauth/token', '/api/oauth/revoke'])
    expect(errorsOf(path, 'post')).toEqual([...ofForm, 'temporarily_unavailable'])
  for (const path of ['/api/oauth/authorize', '/api/oauth/logout', '/api/oauth/userinfo']) {
    expect(errorsOf(path, 'post')).toEqual([...ofForm, undefined])
    expect(errorsOf(path, 'get')).toEqual([undefined, undefined, undefined])
  }
})

test('the table of endpoints in docs/api.md is that of lib/api/endpoints.ts', () => {
  execFileSync(process.execPath, ['scripts/tables.mjs', '--check'])
})
