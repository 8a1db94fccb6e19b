// `npm start`: builds if necessary and serves in this process, so that signals reach the server.
import { ensureBuild } from './build/ensure.mjs'

// As in server.ts: a reader that has gone must not end the build either.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

// A signal to npm ends npm and its shell but does not reach this process, which would keep building or running. The parent's
// exit therefore counts as SIGTERM.
const parent = process.ppid
if (process.env.npm_lifecycle_event) {
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    // Once: a second signal would cut the requests in progress short.
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250).unref()
}

await ensureBuild()

// Before React and Next are loaded, which read it then.
Object.assign(process.env, { NODE_ENV: process.env.NODE_ENV ?? 'production' })

await import(new URL('../build/server.mjs', import.meta.url).href)
