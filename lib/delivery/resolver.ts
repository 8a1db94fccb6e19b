import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'

/** A look-up that takes longer makes its name a slow one, and for how long. */
const slowMilliseconds = 500
const slowForMilliseconds = 60 * 60_000

const lookUp = (name: string): Promise<LookupAddress[]> => lookup(name, { all: true })

/**
 * Looks up the names of receivers by getaddrinfo, which reads the machine's hosts file and search domains, too. It holds a thread
 * until the name servers have answered, long after its attempt has been given up, and libuv has two for all look-ups of the
 * process: those of the database's name are among them. So at most two run here, and names that were slow have one of the
 * two places: whoever answers for them could otherwise stop the messages of everybody.
 */
export class Resolver {
  readonly #usual = new Line()
  readonly #slow = new Line()
  readonly #underWay = new Map<string, Promise<LookupAddress[]>>()
  /** Until when a name is slow, by `#now`. */
  readonly #slowUntil = new Map<string, number>()
  readonly #lookUp: typeof lookUp
  readonly #now: () => number

  constructor(find = lookUp, now = () => performance.now()) {
    this.#lookUp = find
    this.#now = now
  }

  /** Callers that wait for the same name share one look-up. @throws as `lookup` of node:dns/promises does */
  addresses(name: string): Promise<LookupAddress[]> {
    const known = this.#underWay.get(name)
    if (known) return known
    const line = this.#isSlow(name) ? this.#slow : this.#usual
    const found = line.add(() => this.#timed(name)).finally(() => this.#underWay.delete(name))
    this.#underWay.set(name, found)
    return found
  }

  #isSlow = (name: string) => (this.#slowUntil.get(name) ?? 0) > this.#now()

  async #timed(name: string): Promise<LookupAddress[]> {
    const begun = this.#now()
    try {
      return await this.#lookUp(name)
    } finally {
      // Quick ones meanwhile do not end it: a name server could be quick and slow by turns.
      if (this.#now() - begun > slowMilliseconds) this.#slowUntil.set(name, this.#now() + slowForMilliseconds)
    }
  }
}

/** Work that is done one after the other. */
class Line {
  #last: Promise<unknown> = Promise.resolve()

  add<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }
}
