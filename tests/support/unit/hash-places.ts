import { availableParallelism } from 'node:os'
import { inTurn } from '@/lib/auth/passwords/hash-queue'

/** Occupies every place of the hash queue until what it returns is called. */
export function occupyPlaces(): () => Promise<unknown> {
  let release: () => void = () => undefined
  const held = new Promise<void>((done) => (release = done))
  const works = Array.from({ length: availableParallelism() }, (_, index) =>
    inTurn(`occupied-${index}`, { address: `busy-${index}`, signal: undefined }, () => held),
  )
  return () => {
    release()
    return Promise.all(works)
  }
}
