import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import {
  authenticationOptions,
  createRecoveryCodes,
  randomName,
  register,
  registrationOptions,
  signUp,
} from '../../support/accounts'
import { expect, test } from '../../support/fixtures'
import { typesOf } from '../../support/your-app/openapi-types'
import { LATCHKEY, placeSnippet, readSnippet } from '../../support/your-app/snippets'

/** Mistakes in the client of docs/your-app/programs.md, each of which the types must find. */
const MISTAKES: [right: string, wrong: string][] = [
  ["'/api/signin'", "'/api/sign-in'"],
  ['latchkey.POST', 'latchkey.GET'],
  ['{ username, password }', '{ username }'],
  ['{ username, password }', '{ username, password: 7 }'],
  ["'authentication_failed'", "'wrong_password'"],
  ['data.passkeys', 'data.keys'],
  ['data.token ?? null', 'data.token'],
]

test('types that openapi-typescript makes of the OpenAPI document fit real responses, and the typed client in docs/your-app/programs.md, which fails to compile with a mistake and calls a server', async ({
  client,
  server,
  authenticator,
}) => {
  const { status, body, text: document, headers } = await client.get('/api/openapi.json')
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'application/json',
    'public, max-age=3600',
  ])
  expect(body).toMatchObject({ openapi: '3.1.0', paths: { '/api/i': { post: { operationId: 'i' } } } })
  const { answer, username, password } = await signUp(client, randomName())
  const added = await register(client, authenticator)
  const responses: [path: string, status: number, body: unknown][] = [
    ['/api/signup', 201, answer.body],
    ['/api/signup', 409, (await client.post('/api/signup', { username, password })).body],
    ['/api/signup', 400, (await client.post('/api/signup', {})).body],
    ['/api/auth/register/options', 200, await registrationOptions(client)],
    ['/api/auth/register/verify', 201, added.body],
    ['/api/auth/login/options', 200, await authenticationOptions(client)],
    ['/api/i', 200, (await client.post('/api/i')).body],
    ['/api/i/events', 200, (await client.post('/api/i/events')).body],
    ['/api/i/recovery-codes', 201, { codes: await createRecoveryCodes(client) }],
    ['/api/i/name', 200, (await client.post('/api/i/name', { displayName: 'Ada' })).body],
  ]
  const typed = responses.map(
    ([path, status, body], index) =>
      `const r${index}: paths['${path}']['post']['responses'][${status}]['content']['application/json'] = ${JSON.stringify(body)}`,
  )

  const path = placeSnippet('typed-client.ts', { [LATCHKEY]: server.origin })
  const place = dirname(path)
  writeFileSync(join(place, 'latchkey.d.ts'), await typesOf(document))
  const real = join(place, 'responses.ts')
  writeFileSync(real, ["import type { paths } from './latchkey'", ...typed].join('\n'))
  const wrong = MISTAKES.map(([right, mistake], index) => {
    const file = join(place, `wrong-${index}.ts`)
    writeFileSync(file, readSnippet('typed-client.ts', { [right]: mistake }))
    return file
  })
  expect(filesWithErrors([path, real, ...wrong])).toEqual(wrong.map((file) => basename(file)))

  const { signIn, passkeyNames } = await load(path, place)
  const token = await signIn(username, password)
  expect(await passkeyNames(token)).toEqual([added.body.passkey.name])
  expect(await signIn(username, 'not the password')).toBeNull()
  await expect(passkeyNames('nobody')).rejects.toThrow('not signed in')
})

/** @returns the names of the files in which tsc finds errors */
function filesWithErrors(files: string[]): string[] {
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'esnext', '--moduleResolution', 'bundler']
  const words = ['node_modules/typescript/bin/tsc', ...options, '--pretty', 'false', ...files]
  const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  const found = [...stdout.matchAll(/^(.+?)\(\d+,\d+\): error/gm)].map(([, file = '']) => basename(file))
  return [...new Set(found)].sort()
}

async function load(path: string, place: string) {
  const outfile = join(place, 'typed-client.mjs')
  await build({ entryPoints: [path], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' })
  return import(pathToFileURL(outfile).href)
}
