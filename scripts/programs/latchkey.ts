#!/usr/bin/env node
// build/latchkey.mjs, the command `latchkey` of the package: starts the service, or runs one of its commands.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { declareOwnFolder, ownFile } from '@/lib/process/files'

const help = `Usage: latchkey [command]

Without a command, serves the accounts in ./data, or in the database of DATABASE_URL, on port 3000.

Commands:
  accounts <command>  what operators do; "latchkey accounts help" lists it
  doctor              checks the settings, and migrates the database
  dev                 serves an app under development, with people in it
  help, version
`

declareOwnFolder(resolve(import.meta.dirname, '..'))
const [command, ...args] = process.argv.slice(2)
/** The programs read their own words. */
const shift = () => process.argv.splice(2, 1)

switch (command) {
  case undefined:
    // Before React and Next are loaded, which read it then.
    Object.assign(process.env, { NODE_ENV: process.env.NODE_ENV ?? 'production' })
    await import('./serve')
    break
  case 'accounts':
    shift()
    await import('./accounts')
    break
  case 'doctor':
    shift()
    await import('./doctor')
    break
  case 'dev':
    await import('./dev/dev').then(({ runDev }) => runDev(args))
    break
  case 'help':
  case '--help':
  case '-h':
    process.stdout.write(help)
    break
  case 'version':
  case '--version':
    process.stdout.write(`${JSON.parse(readFileSync(ownFile('package.json'), 'utf8')).version}\n`)
    break
  default:
    process.stderr.write(`There is no command ${JSON.stringify(command)}.\n\n${help}`)
    process.exitCode = 2
}
