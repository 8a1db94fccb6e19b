import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  authenticationOptions,
  changeUsername,
  createRecoveryCodes,
  PASSWORD,
  randomName,
  register,
  registrationOptions,
  signUp,
} from '../../support/accounts'
import { expect, test } from '../../support/fixtures'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { typesOf } from '../../support/your-app/openapi-types'

test('serves the API as an OpenAPI document that caches may keep', async ({ client }) => {
  const { status, body, headers } = await client.get('/api/openapi.json')
  expect(status).toBe(200)
  expect(body).toMatchObject({ openapi: '3.1.0', paths: { '/api/i': { post: { operationId: 'i' } } } })
  expect(headers['content-type']).toBe('application/json')
  expect(headers['cache-control']).toBe('public, max-age=3600')
})

test('types that openapi-typescript makes of the document fit real responses', async ({ client, authenticator }) => {
  const { text: document } = await client.get('/api/openapi.json')
  const { answer } = await signUp(client)
  const added = await register(client, authenticator)
  const codes = await createRecoveryCodes(client)
  const taken = { username: answer.body.user.username, password: PASSWORD }
  const responses: [path: string, status: number, body: unknown][] = [
    ['/api/signup', 201, answer.body],
    ['/api/signup', 409, (await client.post('/api/signup', taken)).body],
    ['/api/signup', 400, (await client.post('/api/signup', {})).body],
    ['/api/auth/register/options', 200, await registrationOptions(client)],
    ['/api/auth/register/verify', 201, added.body],
    ['/api/auth/login/options', 200, await authenticationOptions(client)],
    ['/api/i', 200, (await client.post('/api/i')).body],
    ['/api/i/events', 200, (await client.post('/api/i/events')).body],
    ['/api/i/recovery-codes', 201, { codes }],
    ['/api/i/name', 200, (await client.post('/api/i/name', { displayName: 'Ada' })).body],
    ['/api/i/username', 200, (await changeUsername(client, randomName())).body],
  ]
  const lines = responses.map(
    ([path, status, body], index) =>
      `const r${index}: paths['${path}']['post']['responses'][${status}]['content']['application/json'] = ${JSON.stringify(body)}`,
  )
  const wrong =
    "// @ts-expect-error\nconst wrong: paths['/api/i']['post']['responses'][200]['content']['application/json'] = { id: 1 }"
  const folder = temporaryFolder('openapi', resolve('build'))
  writeFileSync(join(folder, 'types.ts'), await typesOf(document))
  writeFileSync(join(folder, 'responses.ts'), ["import type { paths } from './types'", ...lines, wrong].join('\n'))
  const words = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'esnext', join(folder, 'responses.ts')]
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', ...words], { encoding: 'utf8', stdio: 'pipe' })
})
