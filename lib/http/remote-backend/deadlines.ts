import { longestWaitMilliseconds } from '@/lib/auth/passwords/hash-queue'
import { roundMilliseconds } from '@/lib/delivery/delivering'
import { attemptMilliseconds } from '@/lib/delivery/receiver'

/** Longer than a password sign-in, which hashes up to four times, can wait on the backend. */
const usualMilliseconds = 4 * longestWaitMilliseconds + 8_000
/** Longer than a round with an attempt that begins at its end. */
const deliveryMilliseconds = roundMilliseconds + attemptMilliseconds + 2_000

/** Milliseconds after which the backend counts as unavailable. */
export const deadlineOf = (path: string) => (path === '/api/deliver' ? deliveryMilliseconds : usualMilliseconds)
