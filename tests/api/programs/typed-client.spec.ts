import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { randomName, register, signUp } from '../../support/accounts'
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

test('the typed client in docs/your-app/programs.md compiles, fails to compile with a mistake, and calls a server', async ({
  client,
  server,
  authenticator,
}) => {
  const path = placeSnippet('typed-client.ts', { [LATCHKEY]: server.origin })
  const place = dirname(path)
  const { text: document } = await client.get('/api/openapi.json')
  writeFileSync(join(place, 'latchkey.d.ts'), await typesOf(document))
  const wrong = MISTAKES.map(([right, mistake], index) => {
    const file = join(place, `wrong-${index}.ts`)
    writeFileSync(file, readSnippet('typed-client.ts', { [right]: mistake }))
    return file
  })
  expect(filesWithErrors([path, ...wrong])).toEqual(wrong.map((file) => basename(file)))

  const { signIn, passkeyNames } = await load(path, place)
  const { username, password } = await signUp(client, randomName())
  const added = await register(client, authenticator)
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
