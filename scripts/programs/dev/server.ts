// build/dev-server.mjs: the server that `latchkey dev` starts, which is build/server.mjs without the files of settings around it.
import { resolve } from 'node:path'
import { declareOwnFolder } from '@/lib/process/files'
import { ignoreEnvFiles } from '@/lib/settings/env-files.mjs'

declareOwnFolder(resolve(import.meta.dirname, '..'))
ignoreEnvFiles()
// A server must not outlive `latchkey dev`, whose port it would keep.
process.once('disconnect', () => process.emit('SIGTERM') || process.exit(1))
await import('../../../server')
process.send?.('ready')
