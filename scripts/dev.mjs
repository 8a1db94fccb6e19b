// `npm run dev`: runs Next's development server in this process, so that signals reach it.
import './support/command-line.mjs'
import { createRequire } from 'node:module'
import { listenOptions } from '../lib/settings/env-files.mjs'
import { buildServer } from './build/build-product.mjs'
import { generateClients } from './build/generate.mjs'
import { withoutTelemetry } from './support/step.mjs'

await generateClients()
await buildServer()
Object.assign(process.env, { ...withoutTelemetry, ...process.env })
process.argv.splice(2, 0, 'dev', ...listenOptions(process.cwd()))
createRequire(import.meta.url)('next/dist/bin/next')
