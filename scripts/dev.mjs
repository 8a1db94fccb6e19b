// `npm run dev`: runs Next's development server in this process, so that signals reach it.
import { createRequire } from 'node:module'
import { withoutTelemetry } from './build/step.mjs'
import { listenOptions } from './listen-options.mjs'
import './generate.mjs'
import './build-node.mjs'

Object.assign(process.env, { ...withoutTelemetry, ...process.env })
process.argv.splice(2, 0, 'dev', ...listenOptions(process.cwd()))
createRequire(import.meta.url)('next/dist/bin/next')
