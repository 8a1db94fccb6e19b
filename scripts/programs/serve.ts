// build/server.mjs: what `npm start`, the container and the systemd unit run.
import { limitHeapGrowth } from '@/lib/process/heap'

const modulesAreLoaded = limitHeapGrowth()
await import('../../server')
modulesAreLoaded()
