// build/server.mjs: what `npm start`, the container and the systemd unit run.
import module from 'node:module'
import { resolve } from 'node:path'
import { declareOwnFolder, ownFile } from '@/lib/process/files'
import { limitHeapGrowth } from '@/lib/process/own-server'

declareOwnFolder(resolve(import.meta.dirname, '..'))
// Node 22 and later keep what they compiled for the next start (decision 0047). In our own folder: in one that others share, they
// could plant code.
const { enableCompileCache } = module as typeof module & { enableCompileCache?: (folder: string) => unknown }
enableCompileCache?.(ownFile('build/compile-cache'))
const modulesAreLoaded = limitHeapGrowth()
await import('../../server')
modulesAreLoaded()
