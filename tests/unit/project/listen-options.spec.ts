import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { temporaryFolder } from '../../support/machine/temporary-folder'

const newFolder = () => temporaryFolder('listen')
const folder = newFolder()
writeFileSync(join(folder, '.env'), 'PORT=4001\nHOST=127.0.0.1\n')

/** The options under this environment, and the PORT that it still has afterwards. */
function listenOptions(environment: Record<string, string>, from = folder) {
  const script = `
    import { listenOptions } from './lib/settings/env-files.mjs'
    const options = listenOptions(${JSON.stringify(from)})
    console.log(JSON.stringify({ options, left: process.env.PORT ?? null }))`
  const env = { PATH: process.env.PATH, NODE_ENV: 'development' as const, ...environment }
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' }))
}

test('npm run dev takes PORT and HOST from .env or, before that, from the environment, and leaves the defaults to Next', () => {
  expect(listenOptions({})).toEqual({ options: ['--port', '4001', '--hostname', '127.0.0.1'], left: null })
  expect(listenOptions({ PORT: '4002' })).toEqual({
    options: ['--port', '4002', '--hostname', '127.0.0.1'],
    left: '4002',
  })
  expect(listenOptions({}, newFolder()).options).toEqual([])
})
