// `npm start`: builds if need be, then serves in this very process, so that signals reach the server.
import './ensure-build.mjs'

// React and Next choose their production code when they are loaded.
Object.assign(process.env, { NODE_ENV: process.env.NODE_ENV ?? 'production' })

// A signal to npm ends npm and the shell it put between, which passes it on to nobody: without this the server would go on
// alone. A parent that has gone is therefore taken for the signal.
const parent = process.ppid
if (process.env.npm_lifecycle_event) {
  setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGTERM'), 250).unref()
}

await import(new URL('../build/server.mjs', import.meta.url).href)
