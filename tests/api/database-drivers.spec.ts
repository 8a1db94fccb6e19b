import { signUp } from '../support/accounts'
import { Client } from '../support/client'
import { expect, test } from '../support/split-deployment'

/** Says on stderr when a process loads an SQLite driver: node:sqlite as a builtin module, the other as a shared object. */
const watcher = `
  const { dlopen, getBuiltinModule } = process
  const watch = (name) => { if (/sqlite/.test(name)) process.stderr.write('loads SQLite\\n') }
  process.dlopen = (module, file, ...rest) => { watch(file); return dlopen.call(process, module, file, ...rest) }
  if (getBuiltinModule) process.getBuiltinModule = (id) => { watch(id); return getBuiltinModule(id) }`
const watching = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(watcher)}` }

test('only a server on the embedded database loads SQLite', async ({ start, backend }) => {
  const server = await start({ env: watching })
  await signUp(new Client(server))
  expect((await new Client(server).post('/signin', undefined, { method: 'GET' })).status).toBe(200)
  expect(server.output().includes('loads SQLite')).toBe(backend === 'embedded')
})

test('the front end of a split deployment loads no SQLite', { tag: '@embedded' }, async ({ startSplitDeployment }) => {
  const { frontEnd } = await startSplitDeployment({ frontEndEnv: watching })
  await signUp(new Client(frontEnd))
  expect((await new Client(frontEnd).post('/signin', undefined, { method: 'GET' })).status).toBe(200)
  expect(frontEnd.output()).not.toContain('loads SQLite')
})
