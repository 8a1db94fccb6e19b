// Runs a program of build/ once for each line of standard input, as if in a process of its own each time: to start one takes half
// a second of processor time. Its output ends with three NULs on either stream, on standard output twice, around the exit code.
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

const shared = /** @type {Record<symbol, Map<string, unknown> | undefined>} */ (/** @type {unknown} */ (globalThis))
/** Where lib/process/singleton.ts keeps what a process has once: settings, the database, the log. */
const singletons = Symbol.for('latchkey')
const end = '\0\0\0'
let runs = 0
// The log of each run waits for its reader when this process ends.
process.setMaxListeners(0)

for await (const line of createInterface({ input: process.stdin })) {
  const { program, env, words, input } = JSON.parse(line)
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  shared[singletons]?.clear()
  process.argv = [process.execPath, `build/${program}.mjs`, ...words]
  process.exitCode = 0
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true })
  runs += 1
  // Of another query, it is another module: it runs again, on the packages that are loaded.
  await import(`../../../build/${program}.mjs?${runs}`)
  const last = /** @type {const} */ ([
    [process.stdout, `${end}${process.exitCode}${end}`],
    [process.stderr, end],
  ])
  for (const [stream, text] of last) if (!stream.write(text)) await once(stream, 'drain')
}
