// `npm start`: builds if need be, then serves in this very process, so that signals reach the server.
import './ensure-build.mjs'

// React and Next choose their production code when they are loaded.
Object.assign(process.env, { NODE_ENV: process.env.NODE_ENV ?? 'production' })

await import(new URL('../build/server.mjs', import.meta.url).href)
