import { availableParallelism } from 'node:os'

/** How many passwords a server hashes at once for one address. */
export const placesPerAddress = Math.min(availableParallelism(), 8)
