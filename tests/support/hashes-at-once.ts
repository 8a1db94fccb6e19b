import { availableParallelism } from 'node:os'

/** How many hashes a server computes at once for one address (lib/auth/passwords/hash-queue.ts): others wait. */
export const hashesAtOnce = Math.min(availableParallelism(), 8)
