import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { KeyedQueue } from '@/lib/process/keyed-queue'

/** A look-up that takes longer makes its name a slow one. `getaddrinfo` asks a second time after five seconds. */
const slowMilliseconds = 2_000
/** A slow name stays one for at least that long, and until it is answered for quickly. */
const slowForMilliseconds = 60 * 60_000

const lookUp = (name: string): Promise<LookupAddress[]> => lookup(name, { all: true })

/**
 * Looks up the names of receivers by getaddrinfo, which reads the machine's hosts file and search domains, too. It holds a thread
 * until the name servers have answered, long after its attempt has been given up, and libuv has two for all look-ups of the
 * process: those of the database's name are among them. So names are looked up one after the other, and those that were slow in
 * a line of their own: whoever answers for them could otherwise stop the messages of everybody.
 */
export class Resolver {
  readonly #queue = new KeyedQueue<'usual' | 'slow'>()
  readonly #underWay = new Map<string, Promise<LookupAddress[]>>()
  /** From when a name may leave the slow ones, by `#now`. */
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
    const line = this.#slowUntil.has(name) ? 'slow' : 'usual'
    const found = this.#queue.add(line, () => this.#timed(name)).finally(() => this.#underWay.delete(name))
    this.#underWay.set(name, found)
    return found
  }

  async #timed(name: string): Promise<LookupAddress[]> {
    const begun = this.#now()
    try {
      return await this.#lookUp(name)
    } finally {
      this.#settle(name, begun)
    }
  }

  #settle(name: string, begun: number): void {
    const now = this.#now()
    if (now - begun > slowMilliseconds) this.#slowUntil.set(name, now + slowForMilliseconds)
    // Not before its hour: a name server could be quick and slow by turns.
    else if ((this.#slowUntil.get(name) ?? now) <= now) this.#slowUntil.delete(name)
  }
}
