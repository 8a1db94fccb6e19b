// `npm run accounts -- <command>`: what operators do with accounts. docs/accounts.md explains the commands.
import './broken-pipe.mjs'
import nextEnv from '@next/env'
import { logToStandardError } from '@/lib/process/log'
import { createProgram, run } from './accounts/frame'
import { addShow } from './accounts/show'
import { addSignOut } from './accounts/sign-out'

// Standard output is the command's answer alone.
logToStandardError()
nextEnv.loadEnvConfig(process.cwd(), false, { info: () => undefined, error: console.error })
const program = createProgram()
for (const add of [addShow, addSignOut]) add(program)
await run(program)
