// build/server.mjs: what `npm start`, the container and the systemd unit run.
import { resolve } from 'node:path'
import { declareOwnFolder } from '@/lib/process/own-files'
import { limitHeapGrowth } from '@/lib/process/own-server'

declareOwnFolder(resolve(import.meta.dirname, '..'))
const modulesAreLoaded = limitHeapGrowth()
await import('../../server')
modulesAreLoaded()
