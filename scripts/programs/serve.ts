// build/server.mjs: what `npm start`, the container and the systemd unit run.
import { limitHeapGrowth } from '@/lib/process/own-server'

const modulesAreLoaded = limitHeapGrowth()
await import('../../server')
modulesAreLoaded()
