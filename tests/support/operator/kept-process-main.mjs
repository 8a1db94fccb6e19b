// Runs build/accounts.mjs once for each line of standard input, as if in a process of its own each time: to start one takes
// half a second of processor time.
import { createInterface } from 'node:readline'

const shared = /** @type {Record<symbol, Map<string, unknown> | undefined>} */ (/** @type {unknown} */ (globalThis))
/** Where lib/process/singleton.ts keeps what a process has once: settings, the database, the log. */
const singletons = Symbol.for('latchkey')
const answer = process.stdout.write.bind(process.stdout)
let commands = 0

for await (const line of createInterface({ input: process.stdin })) {
  const { env, words } = JSON.parse(line)
  // What the mutation run sets is not the test's to choose.
  for (const name of Object.keys(process.env)) if (!name.startsWith('MUTANT')) delete process.env[name]
  Object.assign(process.env, env)
  shared[singletons]?.clear()
  process.argv = [process.execPath, 'build/accounts.mjs', ...words]
  process.exitCode = 0
  const finished = { stdout: '', stderr: '' }
  for (const name of /** @type {const} */ (['stdout', 'stderr']))
    process[name].write = (/** @type {string | Uint8Array} */ text) => {
      finished[name] += text
      return true
    }
  commands += 1
  // Of another query, it is another module: it runs again, on the packages that are loaded.
  await import(`../../../build/accounts.mjs?${commands}`)
  answer(`${JSON.stringify({ code: process.exitCode, ...finished })}\n`)
}
