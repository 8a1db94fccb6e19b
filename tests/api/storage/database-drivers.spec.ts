import { signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expect, test } from '../../support/fixtures'

/** Writes to stderr when a process loads an SQLite driver: node:sqlite is a builtin module, the other a shared object. */
const watcher = `
  const { dlopen, getBuiltinModule } = process
  const watch = (name) => { if (/sqlite/.test(name)) process.stderr.write('loads SQLite\\n') }
  process.dlopen = (module, file, ...rest) => { watch(file); return dlopen.call(process, module, file, ...rest) }
  if (getBuiltinModule) process.getBuiltinModule = (id) => { watch(id); return getBuiltinModule(id) }`
const watching = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(watcher)}` }

test('a server loads SQLite when its database is embedded, and a front end never', { tag: '@pages' }, async ({
  start,
}) => {
  const server = await start({ env: watching })
  await signUp(new Client(server))
  expect(server.output()).toContain('loads SQLite')

  const frontEnd = await start({ env: { ...watching, BACKEND_URL: server.url, DATABASE_URL: undefined } })
  expect((await new Client(frontEnd).post('/api/i')).status).not.toBe(200)
  expect((await new Client(frontEnd).get('/signin')).status).toBe(200)
  expect(frontEnd.output()).not.toContain('loads SQLite')
})
