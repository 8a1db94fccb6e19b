import { availableParallelism } from 'node:os'
import { inTurn } from '@/lib/auth/passwords/hash-queue'
import { withResolvers } from '../with-resolvers'

/** Occupies every place of the hash queue. @returns a function for each that frees it */
export const takePlaces = () =>
  Array.from({ length: availableParallelism() }, (_, index) => takePlace(`occupied-${index}`))

/** The same. @returns a function that frees all */
export function occupyPlaces(): () => Promise<unknown> {
  const places = takePlaces()
  return () => Promise.all(places.map((free) => free()))
}

function takePlace(account: string): () => Promise<unknown> {
  const { promise: held, resolve: release } = withResolvers()
  const job = inTurn({ account, context: { address: `busy-${account}`, signal: undefined } }, () => held)
  return () => {
    release()
    return job
  }
}
